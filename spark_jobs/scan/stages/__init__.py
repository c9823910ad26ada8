"""The stages of a scan: `read`, `divide`, `ask`, `join`, `write`.

Each hands on one value; `join` the table of decisions, which `write` reads in the run's directory. OPA is called twice:
in `ask` about audit parts, and in `join` about each row's own input, as the decisions on rows that `ask` hands on are
made where they are written. To write them before would be one more pass over all rows.

`finish` is what the last does besides tables: figures, and the rules that a run was decided by.
"""
