"""Times in the contract, such as ``meta.observedAt``: RFC 3339 in UTC, to the millisecond."""

from datetime import UTC, datetime
from typing import Any

__all__ = ["format_timestamp", "parse_timestamp"]


def format_timestamp(time: datetime) -> str:
    """Return a time as RFC 3339 in UTC, to the millisecond."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_timestamp(text: Any) -> datetime | None:
    """Return the time that `format_timestamp` wrote; None where the text is none, or has no offset."""
    try:
        time = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return time if time.tzinfo else None
