"""Record of sent messages, in a file that outlives the command: nobody gets the same one twice on a day."""

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from warden.base.errors import InputError
from warden.base.files.json_files import read_json
from warden.base.files.private import open_private, write_private

__all__ = ["SentMessages", "open_sent"]


class SentMessages:
    """What was sent today, by channel and subject.

    Args:
        path: The file.
        today: The day, UTC.
        known: What was sent today before.
    """

    def __init__(self, path: Path, today: date, known: set[tuple[str, str]]) -> None:
        self._path, self._today, self._known = path, today, known

    def has(self, channel: str, subject: str) -> bool:
        """Return whether a channel was sent a message about a subject today."""
        return (channel, subject) in self._known

    def add(self, channel: str, subject: str) -> None:
        """Write down that it was sent, before anything else is.

        Raises:
            InputError: The file cannot be written.
        """
        self._known.add((channel, subject))
        document = {"day": self._today.isoformat(), "sent": sorted(self._known)}
        unfinished = self._path.with_name(f".{self._path.name}.new")
        try:
            write_private(unfinished, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
            unfinished.replace(self._path)
        except OSError as error:
            raise InputError(f"{self._path}: what was sent cannot be written ({error.strerror})") from error


@contextmanager
def open_sent(path: Path, today: date) -> Iterator[SentMessages]:
    """Open the file of what was sent; another process that opens it waits.

    Args:
        path: The file; made where there is none.
        today: The day, UTC; what was sent on other days is forgotten.

    Raises:
        InputError: The file cannot be read or written, or it is another kind of file.
    """
    try:
        lock = open_private(path.with_name(f".{path.name}.lock"), "a")
    except OSError as error:
        raise InputError(
            f"{path}: cannot be written ({error.strerror}): name a file in a writable directory"
        ) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield SentMessages(path, today, _read(path, today))


def _read(path: Path, today: date) -> set[tuple[str, str]]:
    if not path.exists():
        return set()
    document = read_json(path, "what was sent, as warden notify writes it")
    try:
        sent = {(str(channel), str(subject)) for channel, subject in document["sent"]}
        return sent if date.fromisoformat(document["day"]) == today else set()
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{path}: not a record of what `warden notify` sent: name another file, or delete this one"
        ) from error
