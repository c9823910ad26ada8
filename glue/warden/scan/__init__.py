"""What a scan does to one partition of rows: plain functions over iterators, without Spark."""

__all__: list[str] = []
