"""An estate over time: findings day by day, and drift from what was declared."""

__all__: list[str] = []
