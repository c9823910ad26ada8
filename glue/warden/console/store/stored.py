"""Decisions as the console keeps them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

__all__ = [
    "ALLOWED",
    "DENIED",
    "STATE_KINDS",
    "STATUSES",
    "UNDECIDED",
    "WARNED",
    "ClientNote",
    "StoredDecision",
    "format_time",
    "to_list",
    "to_mapping",
    "to_text",
]

ALLOWED, WARNED, DENIED, UNDECIDED = STATUSES = ("allowed", "warned", "denied", "not decided")
"""What became of a request: ``warned`` is allowed with a violation that warns."""

STATE_KINDS: Final = {"topic": "topics", "broker": "brokers", "group": "groups"}
"""Field of a request that names a resource → the part of the cluster's state that has it."""

_LATEST: Final = 253_402_300_799_000  # the last second of the year 9999, which rows of before may have passed
_MAX_TEXT: Final = 500
_MAX_BYTES: Final = 1200  # two of them and more fit into an entry of PostgreSQL's indexes, of 2,704 bytes


@dataclass(frozen=True)
class StoredDecision:
    """One decision, or that there was none.

    Args:
        id: OPA's decision id; of an enforcement point's line what tells it from others.
        item: The key in its batch; "" outside one.
        at: When, milliseconds since 1970.
        status: One of `STATUSES`.
        cluster, point, operation, resource, owner, principal, client: What it is about; "" where that is not known.
        opa: The OPA: its labels' ``id``.
        revision: The bundle's.
        state_age: Seconds since the facts were observed; None where that is not known.
        rules: Rules that are broken, each with the most severe of its effects.
        document: What the page about it shows: input, result and where they are from.
    """

    id: str
    item: str
    at: int
    status: str
    cluster: str = ""
    point: str = ""
    operation: str = ""
    resource: str = ""
    owner: str = ""
    principal: str = ""
    client: str = ""
    opa: str = ""
    revision: str = ""
    state_age: float | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    document: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ClientNote:
    """What a gateway knows of decisions and OPA does not: the client's id.

    Args:
        id: OPA's decision id.
        prefix: How keys of the client's items begin in the batch.
        client: The client's id.
        at: When, milliseconds since 1970.
    """

    id: str
    prefix: str
    client: str
    at: int


def format_time(at: int, timespec: str = "milliseconds") -> str:
    """Return a time as RFC 3339 has it, in UTC.

    Args:
        at: Milliseconds since 1970.
        timespec: The smallest unit that is shown, as of `datetime.isoformat`.
    """
    moment = datetime.fromtimestamp(min(at, _LATEST) / 1000, UTC)
    return moment.replace(tzinfo=None).isoformat(timespec=timespec) + "Z"


def to_mapping(value: Any) -> Mapping[str, Any]:
    """Return an object as it is, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def to_list(value: Any) -> list[Any]:
    """Return an array as it is, an empty one for anything else."""
    return value if isinstance(value, list) else []


def to_text(value: Any) -> str:
    """Return a text that a column takes: not too long, without half a character or NUL; "" for what is none."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    text = str(value)[:_MAX_TEXT].replace("\0", "\ufffd").encode("utf-8", "replace")
    return text[:_MAX_BYTES].decode("utf-8", "ignore")
