"""The scan: rows to decisions to tables, in five stages: `read`, `divide`, `ask`, `join`, `write`.

A column of a table is in `spark_jobs.common.schemas`, what is in it in `table_rows`.

`run_scan` hands one value from each to the next. Where rows come from is in `spark_jobs.sources`.
"""
