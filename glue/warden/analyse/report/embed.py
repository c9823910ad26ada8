"""Findings inside the page: compact columns, compressed, so that a hundred thousand of them are a few megabytes."""

import base64
import gzip
import json
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from warden.analyse.report.finding import format_subject
from warden.analyse.report.json_stream import escape_invisible
from warden.policy.contract.effect import format_message

__all__ = ["COLUMNS", "NOT_EVALUATED", "build_columns", "pack", "unpack"]

COLUMNS = (
    *(
        "severity",
        "rule",
        "effect",
        "cluster",
        "kind",
        "topic",
        "owner",
        "message",
        "fix",
        "path",
        "actual",
        "patch",
        "waiver",
    ),
)
"""The columns of the page's table, and the kind of resource; null where a finding has nothing to say."""

NOT_EVALUATED = "not evaluated"
"""The severity, in the page, of a topic that could not be evaluated; its message is the reason."""

_GZIP = 31  # a window of 32 KiB, and gzip's header
_MARK = 'id="data">'


def build_columns(findings: Iterable[Mapping[str, Any]], not_evaluated: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return all findings as ``texts``, each text once, and for each of `COLUMNS` its rows as indices into them.

    All of them are in memory at once, as they are in the page.

    Args:
        findings: As in a run's findings.jsonl.
        not_evaluated: Decisions on what could not be evaluated, which come first.
    """
    texts: dict[str, int] = {}
    columns = {name: array("i") for name in COLUMNS}
    for decision in not_evaluated:
        row = {**decision, "topic": format_subject(decision), "severity": NOT_EVALUATED, "message": decision["error"]}
        _add(columns, texts, row)
    for finding in findings:
        waiver = finding.get("waiver")
        row = {
            **finding,
            "topic": format_subject(finding),
            "message": format_message(finding),
            "path": "/".join(finding.get("path") or []) or None,
        }
        _add(columns, texts, {**row, "waiver": waiver["id"] if waiver else None})
    return {"texts": list(texts), "columns": columns}


def pack(value: Any) -> str:
    """Return a JSON value as text that may stand in a script element: gzip (RFC 1952) in base64."""
    compressor = zlib.compressobj(6, wbits=_GZIP)
    pieces = [*map(compressor.compress, _iter_json(value)), compressor.flush()]
    return base64.b64encode(b"".join(pieces)).decode("ascii")


def unpack(page: str) -> Any:
    """Return what `pack` put into a page."""
    return json.loads(gzip.decompress(base64.b64decode(page.partition(_MARK)[2].partition("</script>")[0])))


def _iter_json(value: Any) -> Iterator[bytes]:
    """Yield a value as JSON; no more of an object is in memory than its largest value."""
    if not isinstance(value, dict):
        yield json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=array.tolist).encode()
        return
    between = b"{"
    for name, member in value.items():
        yield between + json.dumps(name).encode() + b":"
        yield from _iter_json(member)
        between = b","
    yield b"}" if value else b"{}"


def _add(columns: "dict[str, array[int]]", texts: dict[str, int], row: Mapping[str, Any]) -> None:
    for name, column in columns.items():
        value = row.get(name)
        column.append(-1 if value is None else texts.setdefault(escape_invisible(str(value)), len(texts)))
