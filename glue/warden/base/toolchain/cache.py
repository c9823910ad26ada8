"""The per-user cache: whole directories, installed atomically, with a checksum of every file recorded beside them.

Layout, for an artefact named ``opa-1.22.0-linux-amd64``::

    <root>/opa-1.22.0-linux-amd64/        the files
    <root>/opa-1.22.0-linux-amd64.json    their sizes, times and SHA-256 sums; written last
    <root>/opa-1.22.0-linux-amd64.lock    held by the one process that obtains it
    <root>/opa-1.22.0-linux-amd64.part/   being obtained; renamed when complete

On use every file's size and modification time is compared with the record, and a file whose time differs is hashed
again: a truncated, replaced or missing file is noticed at the price of one ``stat`` a file.

Not pooch, which was tried: it keeps single files, hashes them at every use (0.1 s for OPA) and has no lock between
processes, so all of this module would stay, and `warden.base.toolchain.download` would get longer.
"""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warden.base.errors import ToolchainError
from warden.base.files.private import make_private_directory, open_private
from warden.base.process.progress import print_status

__all__ = ["Cache", "explain_unusable", "hash_file"]


@contextmanager
def explain_unusable(root: Path) -> Iterator[None]:
    """Say of what the system refuses in here that the cache cannot be used, and what to write.

    Args:
        root: The cache directory.

    Raises:
        ToolchainError: The system refuses something.
    """
    try:
        yield
    except OSError as error:
        raise ToolchainError(
            f"the cache directory {root} cannot be used ({error.strerror or error}): "
            "delete it, or set WARDEN_CACHE to a directory that can be written"
        ) from error


def hash_file(path: Path) -> str:
    """Return the hexadecimal SHA-256 sum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True)
class Cache:
    """The cache directory.

    Args:
        root: The directory; it is made when something is first obtained.
    """

    root: Path

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "Cache":
        """Return the user's cache: ``WARDEN_CACHE``, else ``$XDG_CACHE_HOME/warden``, else ``~/.cache/warden``."""
        if configured := environ.get("WARDEN_CACHE"):
            return cls(Path(configured).expanduser().absolute())
        base = environ.get("XDG_CACHE_HOME")
        return cls((Path(base) if base else Path("~/.cache").expanduser()).absolute() / "warden")

    def obtain(
        self, name: str, fill: Callable[[Path], None], refuse: Callable[[Mapping[str, str]], str | None] | None = None
    ) -> Path:
        """Return the directory of an artefact, obtaining it first unless it is there and whole.

        Safe to call from several processes at once: one obtains, the others wait and find it done.

        Args:
            name: The artefact with its version and platform; one path component.
            fill: Puts the artefact's files into the empty directory that it is given.
            refuse: Says what is wrong with the recorded SHA-256 sums, by file; nothing is hashed for it.

        Raises:
            ToolchainError: The cache cannot be written, or what ``refuse`` says; or whatever ``fill`` raises. Nothing
                is left behind then.
        """
        target = self.root / name
        if self._find_fault(target, refuse) is None:
            return target
        with self.lock(name):
            if (fault := self._find_fault(target, refuse)) is None:
                return target
            if target.exists():
                print_status(f"{target} is damaged ({fault}) and is obtained again")
            self._install(target, fill, refuse)
        return target

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Let one process at a time work on something; the others wait, and say so.

        Args:
            name: What is worked on.

        Raises:
            ToolchainError: The cache cannot be written.
        """
        with explain_unusable(self.root):
            make_private_directory(self.root)  # programs are run from there, and a signing key may be there
            with open_private(self.root / f"{name}.lock") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    print_status(f"waiting for another process that is obtaining {name}")
                    fcntl.flock(file, fcntl.LOCK_EX)
                yield

    def _install(
        self, target: Path, fill: Callable[[Path], None], refuse: Callable[[Mapping[str, str]], str | None] | None
    ) -> None:
        record, part = _name_record(target), target.with_name(target.name + ".part")
        shutil.rmtree(part, ignore_errors=True)  # what a killed process left
        part.mkdir()
        try:
            fill(part)
            files = {str(path.relative_to(part)): _fingerprint(path) for path in _list_files(part)}
            if refuse and (fault := refuse({name: recorded["sha256"] for name, recorded in files.items()})):
                raise ToolchainError(fault)
            record.unlink(missing_ok=True)
            shutil.rmtree(target, ignore_errors=True)
            part.rename(target)
        finally:
            shutil.rmtree(part, ignore_errors=True)
        written = record.with_name(record.name + ".part")
        written.write_text(json.dumps({"files": files}, indent=1), encoding="utf-8")
        written.replace(record)

    def _find_fault(self, target: Path, refuse: Callable[[Mapping[str, str]], str | None] | None) -> str | None:
        """Say what is wrong with an artefact, or return None when it is whole."""
        try:
            files: dict[str, dict[str, Any]] = json.loads(_name_record(target).read_text(encoding="utf-8"))["files"]
        except FileNotFoundError:
            return "its record is missing"
        except (OSError, ValueError, KeyError, TypeError):
            return "its record cannot be read"
        for name, expected in files.items():
            path = target / name
            try:
                status = path.lstat()
            except OSError:
                return f"{name} is missing"
            if status.st_size != expected["size"]:
                return f"the size of {name} is not the recorded one"
            if status.st_mtime_ns != expected["modified"] and hash_file(path) != expected["sha256"]:
                return f"the checksum of {name} is not the recorded one"
        sums = {name: recorded["sha256"] for name, recorded in files.items()}
        return (refuse(sums) if refuse else None) if files else "it is empty"


def _name_record(target: Path) -> Path:
    return target.with_name(target.name + ".json")


def _list_files(directory: Path) -> list[Path]:
    return sorted(path for path in directory.rglob("*") if path.is_file() and not path.is_symlink())


def _fingerprint(path: Path) -> dict[str, Any]:
    status = path.stat()
    return {"size": status.st_size, "modified": status.st_mtime_ns, "sha256": hash_file(path)}
