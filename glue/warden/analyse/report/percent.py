"""Shares of a whole, in percent. Pure."""

__all__ = ["format_percent"]


def format_percent(part: float | None) -> str:
    """0.5 → 50.0 %; never rounded to all or none; a dash where there is nothing to take a share of."""
    if part is None:
        return "-"
    if part in (0, 1):
        return f"{part * 100:.0f} %"
    return f"{min(max(part * 100, 0.1), 99.9):.1f} %"
