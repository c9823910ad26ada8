"""The highest bundle revision seen, kept in a file, so that what an older bundle decides is refused.

OPA takes any bundle that is signed by the right key, an older one too. Revisions that begin with a number
(`warden bundle build --number`) have an order: ``42-5f0c61d0a9b3`` comes before ``43-…``.
"""

import fcntl
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from warden.base.errors import ConfigurationError, OpaError, OpaOutdated

__all__ = ["BUNDLE", "PROVENANCE", "RevisionFileFailure", "RevisionFloor", "read_bundle_revisions"]

BUNDLE: Final = "warden"
"""The name of Warden's bundle in opa-config.yaml."""
PROVENANCE: Final = "provenance=true"
"""The parameter of OPA's Data API with which an answer says what bundles it comes from."""

_NUMBER = re.compile(r"\d{1,15}", re.ASCII)
_NUMBERED = re.compile(r"(\d{1,15})-")
_FileStamp = tuple[int, ...]


class RevisionFileFailure(OpaError):
    """Raised where the file cannot be read or written, so that nobody knows whether an answer is of an older bundle."""


class RevisionFloor:
    """Remembers the highest number of a revision, and refuses those below it; safe to share between processes.

    Args:
        file: Where the number is kept; it is made, for its user alone, when the first revision is seen.

    Raises:
        ConfigurationError: The file is not one of ours, or its directory is not there.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._accepted: tuple[str | None, _FileStamp] | None = None
        if not file.parent.is_dir():
            raise ConfigurationError(f"{file.parent} is not a directory: make it, or name another revisionFile")
        self._read_highest()

    def check(self, revision: str | None) -> None:
        """Take a revision that is not below the highest.

        Args:
            revision: Of the bundle that decided, as a decision or OPA says it.

        Raises:
            OpaOutdated: It is below, or has no number while another had one.
            ConfigurationError: The file cannot be read or written.
        """
        if self._accepted is None or self._accepted != (revision, self._read_stamp()):
            self._accepted = None
            self._accepted = (revision, self._compare(revision))

    def check_answer(self, answer: Mapping[str, Any]) -> None:
        """As `check`, of an answer of OPA's Data API that was requested with `PROVENANCE`.

        OPA reads the revision in the transaction in which it decides (1.22, ``v1/server``).

        Args:
            answer: The whole document.

        Raises:
            OpaOutdated: As of `check`.
            RevisionFileFailure: The file cannot be read or written.
        """
        try:
            self.check(read_bundle_revisions(answer).get(BUNDLE))
        except ConfigurationError as error:
            raise RevisionFileFailure(str(error)) from error

    def _compare(self, revision: str | None) -> _FileStamp:
        """Return the file's stamp, once it has a number that is not above that of the revision."""
        match = _NUMBERED.match(revision or "")
        number = int(match[1]) if match else 0
        with self._lock():
            highest = self._read_highest()
            if number < highest:
                raise OpaOutdated(
                    f"bundle revision {revision} is older than number {highest}, which was seen before: serve that one "
                    f"again, or write a lower number into {self._file} if the older bundle is meant"
                )
            if number > highest:
                self._write(number)
            return self._read_stamp()

    def _read_stamp(self) -> _FileStamp:
        """Return what tells whether another process has written the file since; nothing where there is none."""
        try:
            status = self._file.stat()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise self._build_error("read", error) from error
        return status.st_mtime_ns, status.st_ino, status.st_size

    def _read_highest(self) -> int:
        try:
            text = self._file.read_text(encoding="ascii")
            if not _NUMBER.fullmatch(text.strip()):
                raise ValueError(text)
            return int(text)
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise self._build_error("read", error) from error
        except ValueError as error:
            raise ConfigurationError(
                f"{self._file} has no revision's number: write one, such as 42, or remove the file"
            ) from error

    def _write(self, number: int) -> None:
        name = None
        try:
            handle, name = tempfile.mkstemp(dir=self._file.parent, prefix=".revision-")
            with os.fdopen(handle, "w", encoding="ascii") as out:
                out.write(f"{number}\n")
            Path(name).replace(self._file)
        except OSError as error:
            if name is not None:
                Path(name).unlink(missing_ok=True)
            raise self._build_error("written", error) from error

    @contextmanager
    def _lock(self) -> Iterator[None]:
        with ExitStack() as stack:
            try:
                handle = os.open(self._file.parent, os.O_RDONLY)
                stack.callback(os.close, handle)
                fcntl.flock(handle, fcntl.LOCK_EX)
            except OSError as error:
                raise self._build_error("read", error) from error
            yield

    def _build_error(self, done: str, error: OSError) -> ConfigurationError:
        return ConfigurationError(
            f"{self._file} cannot be {done} ({error.strerror}): let this process read and write it and its directory, "
            "or name another file"
        )


def read_bundle_revisions(answer: Mapping[str, Any]) -> dict[str, str]:
    """Return the revision of each bundle that an answer with its provenance comes from, by the bundle's name."""
    bundles = (answer.get("provenance") or {}).get("bundles") or {}
    return {name: str(bundle["revision"]) for name, bundle in bundles.items() if "revision" in bundle}
