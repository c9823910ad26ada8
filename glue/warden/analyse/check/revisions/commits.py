"""Files as they are in two commits of git."""

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from warden.analyse.check.files import HCL_SUFFIXES, VARIABLE_FILE_SUFFIXES, has_suffix, iter_content_declarations
from warden.analyse.check.model import Fault, FileContents
from warden.analyse.check.readers.config_files import ConfigReading
from warden.analyse.check.readers.rendered import MARKS, read_rendered
from warden.analyse.check.revisions.trees import (
    build_beside_lister,
    build_beside_reader,
    check_out,
    list_rendered,
    run_git,
)
from warden.base.errors import ConfigurationError

__all__ = ["Revisions", "read_revisions"]

_SPAN = re.compile(r"(?P<base>.+?)(?P<dots>\.\.\.?)(?P<head>.*)")
_LINK = "120000"
_SUBMODULE = "160000"


@dataclass(frozen=True)
class Revisions:
    """What files declare in two commits.

    Args:
        same: In files that are the same in both.
        base, head: In the other files of each.
        files: Names of all files of the head that were looked at.
    """

    same: FileContents
    base: FileContents
    head: FileContents
    files: frozenset[str]


def read_revisions(span: str, paths: Sequence[Path], reading: ConfigReading = ConfigReading()) -> Revisions:
    """Read the files below paths in two commits.

    Args:
        span: ``BASE..HEAD``, or ``BASE...HEAD`` for where HEAD left BASE; without HEAD the commit that is checked out.
        paths: Files and directories, relative to the working directory, which is in the repository.
        reading: How configuration files are read.

    Raises:
        ConfigurationError: It is not a span of commits, a path is in neither, or git cannot be run.
    """
    paths = [Path(os.path.relpath(path)) for path in paths]
    match = _SPAN.fullmatch(span)
    if match is None:
        raise ConfigurationError(f"--diff {span}: write two commits, such as origin/main...HEAD")
    base, head = (_resolve_commit(span, name) for name in (match["base"], match["head"] or "HEAD"))
    if match["dots"] == "...":
        base = run_git(span, "merge-base", base, head).decode().strip()
    listed = [dict(_iter_blobs(span, commit, paths)) for commit in (base, head)]
    before, after = ({name: blob for name, blob in side.items() if _is_read(name, paths)} for side in listed)
    changed = (name for name, blob in listed[1].items() if blob != listed[0].get(name) and name not in after)
    for path in paths:
        if not any(_contains(path, name) for name in (*before, *after)):
            raise ConfigurationError(f"--diff {span}: {path} has no files in either: name a path of the repository")
    sides = (_ComparedCommit(span, base, before, paths), _ComparedCommit(span, head, after, paths))
    same = {name: blob for name, blob in before.items() if after.get(name) == blob and _has_same_meaning(name, *sides)}
    seen = Revisions(
        _read(same, reading, sides[0].read_beside),
        _read_side(sides[0], same, reading),
        _read_side(sides[1], same, reading),
        frozenset(after),
    )
    seen.head.hidden.extend(filter(has_suffix, changed))
    return seen


class _ComparedCommit:
    """A commit, and what in it is read otherwise than by itself: HCL with what is beside it, and what is rendered."""

    def __init__(self, span: str, commit: str, files: Mapping[str, tuple[str, str]], paths: Sequence[Path]) -> None:
        named = {path.as_posix() for path in paths}
        self.span, self.commit, self.files = span, commit, files
        self.rendered = list_rendered(name for name in files if name not in named)
        self.list_beside = build_beside_lister(span, commit, VARIABLE_FILE_SUFFIXES)
        self.read_beside = build_beside_reader(span, self.list_beside)

    def is_rendered(self, name: str) -> bool:
        """Whether a file is below a directory that is rendered."""
        return any(PurePosixPath(name).is_relative_to(directory) for directory in self.rendered)


def _has_same_meaning(name: str, *sides: _ComparedCommit) -> bool:
    """Whether a file that is the same says the same: of HCL where the others of its directory are the same too."""
    if any(side.is_rendered(name) for side in sides):
        return False
    if not has_suffix(name, HCL_SUFFIXES):
        return True
    base, head = (side.list_beside(str(PurePosixPath(name).parent)) for side in sides)
    return base == head


def _read_side(side: _ComparedCommit, same: Mapping[str, Any], reading: ConfigReading) -> FileContents:
    """What a commit's own files declare."""
    own = {name: blob for name, blob in side.files.items() if name not in same and not side.is_rendered(name)}
    contents = _read(own, reading, side.read_beside)
    if side.rendered:
        with check_out(side.span, side.commit) as tree:
            for name in sorted(side.rendered):
                contents.add(read_rendered(tree / name, iter_content_declarations, Path(name)) or ())
    return contents


def _resolve_commit(span: str, name: str) -> str:
    return run_git(span, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}").decode().strip()


def _iter_blobs(span: str, commit: str, paths: Sequence[Path]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Name, and mode with object, of each file."""
    listed = run_git(span, "ls-tree", "-r", "-z", commit, "--", *(path.as_posix() for path in paths))
    for entry in listed.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        about, _, name = entry.partition("\t")
        mode, _, blob = about.split(" ")
        if mode != _SUBMODULE:
            yield name, (mode, blob)


def _contains(path: Path, name: str) -> bool:
    return PurePosixPath(name).is_relative_to(path.as_posix())


def _is_read(name: str, paths: Sequence[Path]) -> bool:
    """Whether a file is named, or is below a named directory as files are that are read there."""
    for path in paths:
        if _contains(path, name):
            below = PurePosixPath(name).relative_to(path.as_posix()).parts
            if not below:
                return True
            if (has_suffix(name) or below[-1] in MARKS) and not any(part.startswith(".") for part in below):
                return True
    return False


def _read(
    blobs: Mapping[str, tuple[str, str]], reading: ConfigReading, siblings: Callable[[Path], Mapping[str, bytes]]
) -> FileContents:
    contents = FileContents()
    command = ["git", "cat-file", "--batch"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as git:
        to, answers = cast("IO[bytes]", git.stdin), cast("IO[bytes]", git.stdout)
        for name, (mode, blob) in blobs.items():
            if mode == _LINK:
                fault = "this is a link, which is not followed in a commit: name the file that it leads to"
                contents.faults.append(Fault(name, 1, fault))
            else:
                contents.add(iter_content_declarations(_read_blob(to, answers, blob), Path(name), reading, siblings))
    return contents


def _read_blob(to: IO[bytes], answers: IO[bytes], blob: str) -> bytes:
    """Content of a blob, from ``git cat-file --batch``: a line ``ID blob BYTES``, the bytes, and a line's end."""
    to.write(f"{blob}\n".encode())
    to.flush()
    size = int(answers.readline().split()[2])
    return answers.read(size + 1)[:size]
