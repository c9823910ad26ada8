"""Causes of failures, read from OPA's own log (JSON lines, ``--log-format json``)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["find_bundle_error", "read_last_error"]

_LATE = re.compile(r"request failed: .*(timeout|deadline exceeded)", re.IGNORECASE)


def find_bundle_error(log: Path, since: int = 0) -> str | None:
    """Return OPA's last complaint about a bundle, or None; that of ConfigMaps may come later.

    A bundle that has only not come in time is not complained about: OPA fetches it again.

    Args:
        log: The file.
        since: Byte at which to begin.
    """
    complaints = [text for plugin, text in _iter_errors(log, since) if plugin == "bundle" and not _LATE.search(text)]
    return complaints[-1] if complaints else None


def read_last_error(log: Path, since: int = 0) -> str:
    """Return what a person should read of a log whose OPA has ended: its last error, else its last line."""
    errors = [text for _, text in _iter_errors(log, since)]
    if errors:
        return errors[-1]
    lines = [line.strip() for line in _read_lines(log, since) if line.strip()]
    return lines[-1] if lines else "it said nothing"


def _iter_errors(log: Path, since: int) -> Iterator[tuple[str, str]]:
    for line in _read_lines(log, since):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and entry.get("level") in ("error", "fatal"):
            error = entry.get("err") or entry.get("error")
            text = str(entry.get("msg", ""))
            plugin = "" if entry.get("name") == "configmaps" else str(entry.get("plugin", ""))
            yield plugin, f"{text} {error}" if error else text


def _read_lines(log: Path, since: int) -> list[str]:
    if not log.exists():
        return []
    with log.open("rb") as content:
        content.seek(since)
        return content.read().decode("utf-8", "replace").splitlines()
