"""The stages of a scan, each of which hands on one value: `read`, `divide`, `ask`, `join`, `write`.

`finish` is what the last does besides tables: figures, and the rules that a run was decided by.
"""
