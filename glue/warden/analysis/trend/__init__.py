"""An estate over time: what scans found day by day, and how far it is from what was declared."""

__all__: list[str] = []
