"""Decisions of lines of a log, and of what OPA uploads: JSON, of which nothing odd keeps the rest out."""

import json
import logging
import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, Never

from warden.base.errors import InputError
from warden.base.files.json_files import MAX_DEPTH
from warden.console.intake.events import iter_decisions_and_notes
from warden.console.store.stored import ClientNote, StoredDecision

__all__ = ["read_lines", "read_upload"]

_LOG: Final = logging.getLogger(__name__)


def read_lines(lines: Iterable[bytes], owner_label: str) -> tuple[list[StoredDecision | ClientNote], int]:
    """Return the decisions of lines, and how many of the lines are no JSON.

    Args:
        lines: Whole lines, each an event, or a part of an array of them.
        owner_label: The label that names a topic's owner.
    """
    found: list[StoredDecision | ClientNote] = []
    unread = 0
    for line in lines:
        bare = line.strip(b" \t\r\n\0,[]")
        if not bare:
            continue
        try:
            found += _list_decisions(_parse_json(b"[%s]" % bare), owner_label)
        except (ValueError, RecursionError):
            unread += 1
    return found, unread


def read_upload(content: bytes, owner_label: str) -> list[StoredDecision | ClientNote]:
    """Return the decisions of a body that OPA's plugin ``decision_logs`` sends: a JSON array of events.

    Args:
        content: The body.
        owner_label: The label that names a topic's owner.

    Raises:
        InputError: It is none.
    """
    try:
        events = _parse_json(content)
    except (ValueError, RecursionError) as error:
        raise InputError("the upload is not JSON: send what OPA's decision_logs plugin sends") from error
    if not isinstance(events, list):
        raise InputError("the upload is not a JSON array: send what OPA's decision_logs plugin sends")
    return _list_decisions(events, owner_label)


def _list_decisions(events: Sequence[Any], owner_label: str) -> list[StoredDecision | ClientNote]:
    """The decisions of events; one of a form that nobody thought of keeps no other out."""
    found: list[StoredDecision | ClientNote] = []
    for event in events:
        try:
            if _is_deep(event):
                raise InputError(f"it is nested more than {MAX_DEPTH} levels deep")
            found += iter_decisions_and_notes(event, owner_label)
        except Exception as error:
            defect = None if isinstance(error, InputError) else error
            _LOG.warning("an event is left out", extra={"error": str(error)}, exc_info=defect)
    return found


def _is_deep(event: Any) -> bool:
    level = [event]
    for _ in range(MAX_DEPTH + 1):
        nested = [child for child in level if isinstance(child, dict | list)]
        if not nested:
            return False
        level = [child for parent in nested for child in (parent.values() if isinstance(parent, dict) else parent)]
    return True


def _parse_json(content: bytes) -> Any:
    """JSON, where a number beyond those of a double is the text that it was: answers could not have it as a number."""
    return json.loads(content, parse_constant=_refuse_constant, parse_float=_parse_float, parse_int=_parse_int)


def _refuse_constant(constant: str) -> Never:
    raise ValueError(f"{constant} is no JSON")


def _parse_float(text: str) -> float | str:
    number = float(text)
    return text if math.isinf(number) else number


def _parse_int(text: str) -> int | str:
    return text if math.isinf(float(text)) else int(text)
