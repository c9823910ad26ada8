"""The stages of a scan, each of which hands on one value: `read`, `divide`, `ask`, `join`, `write`."""
