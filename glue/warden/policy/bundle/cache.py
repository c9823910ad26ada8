"""Bundles that were built before, in the per-user cache, by the hash of all that they are made of.

Building takes seconds, nearly all of them for what OPA finds out about policies that do not change.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from warden.base.files.private import is_own, make_private_directory, open_private

__all__ = ["RememberedBundles", "compute_hash"]

_MAX_BUNDLES = 64  # bundles of some 300 KB: more than the tests have of them


def compute_hash(parts: Iterable[object], places: Iterable[Path]) -> str:
    """Return a hash over texts and the content of files; of a directory all files below it count, with their names.

    Raises:
        OSError: A file cannot be read.
    """
    digest = hashlib.sha256(json.dumps([str(part) for part in parts]).encode())
    for place in places:
        for name, path in sorted(_iter_files(place)):
            content = Path(path).read_bytes()
            digest.update(f"\0{name}\0{len(content)}\0".encode())
            digest.update(content)
        digest.update(b"\0")
    return digest.hexdigest()


def _iter_files(place: Path) -> Iterator[tuple[str, str]]:
    """Yield names relative to the place, and paths; as texts, for a command waits until hundreds are hashed."""
    if not place.is_dir():
        yield ".", str(place)
        return
    begin = len(str(place)) + 1
    for directory, directories, names in os.walk(place):
        directories[:] = [name for name in directories if name != "__pycache__"]
        yield from ((f"{directory}/{name}"[begin:], f"{directory}/{name}") for name in names)


class RememberedBundles:
    """The bundles that were used last.

    Args:
        directory: Where they are; it is made when the first is kept. What others may write to is not believed.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def copy(self, key: str, output: Path) -> dict[str, Any] | None:
        """Write a bundle to `output` and return what was kept with it; None where there is none, or it is damaged."""
        bundle, note = self._build_paths(key)
        try:
            if not (is_own(self._directory) and is_own(bundle) and is_own(note)):
                return None
            kept: dict[str, Any] = json.loads(note.read_text(encoding="utf-8"))
            content = bundle.read_bytes()
            if kept.pop("sha256") != hashlib.sha256(content).hexdigest():
                return None
            os.utime(note)
        except (OSError, ValueError, LookupError, TypeError):
            return None
        output.parent.mkdir(parents=True, exist_ok=True)
        written = output.with_name(f".{output.name}.{os.getpid()}")
        written.write_bytes(content)
        written.replace(output)
        return kept

    def keep(self, key: str, built: Path, more: dict[str, Any]) -> None:
        """Keep a bundle, and forget those that were used longest ago; where nothing can be written, it is not kept."""
        bundle, note = self._build_paths(key)
        with suppress(OSError):
            make_private_directory(self._directory)
            written = bundle.with_name(f".{bundle.name}.{os.getpid()}")
            shutil.copyfile(built, written)
            written.replace(bundle)
            sha256 = hashlib.sha256(bundle.read_bytes()).hexdigest()
            written = note.with_name(f".{note.name}.{os.getpid()}")
            with open_private(written) as file:
                json.dump({**more, "sha256": sha256}, file)
            written.replace(note)  # last: a bundle without it is none
            self._forget()

    def _forget(self) -> None:
        notes = sorted(self._directory.glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for note in notes[_MAX_BUNDLES:]:
            for path in self._build_paths(note.stem):
                path.unlink(missing_ok=True)

    def _build_paths(self, key: str) -> tuple[Path, Path]:
        return self._directory / f"{key}.tar.gz", self._directory / f"{key}.json"
