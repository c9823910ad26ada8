"""Files as they are in two commits of git."""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, cast

from warden.check.config_files import ConfigReading
from warden.check.files import SUFFIXES, read_content
from warden.check.model import Contents, Fault
from warden.errors import ConfigurationError

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

    same: Contents
    base: Contents
    head: Contents
    files: frozenset[str]


def read_revisions(span: str, paths: Sequence[Path], reading: ConfigReading = ConfigReading()) -> Revisions:
    """Read the files below paths in two commits.

    Args:
        span: ``BASE..HEAD``, or ``BASE...HEAD`` for where HEAD left BASE; without HEAD the commit that is checked out.
        paths: Files and directories, relative to the working directory, which is in the repository.
        reading: How configuration files are read.

    Raises:
        ConfigurationError: It is no span of commits, a path is in neither, or git cannot be run.
    """
    paths = [Path(os.path.relpath(path)) for path in paths]
    match = _SPAN.fullmatch(span)
    if match is None:
        raise ConfigurationError(f"--diff {span}: write two commits, such as origin/main...HEAD")
    base, head = (_commit(span, name) for name in (match["base"], match["head"] or "HEAD"))
    if match["dots"] == "...":
        base = _git(span, "merge-base", base, head).decode().strip()
    before, after = (dict(_blobs(span, commit, paths)) for commit in (base, head))
    for path in paths:
        if not any(_leads_to(path, name) for name in (*before, *after)):
            raise ConfigurationError(f"--diff {span}: {path} has no files in either: name a path of the repository")
    same = {name: blob for name, blob in before.items() if after.get(name) == blob}
    return Revisions(
        _read(same, reading),
        _read({name: blob for name, blob in before.items() if name not in same}, reading),
        _read({name: blob for name, blob in after.items() if name not in same}, reading),
        frozenset(after),
    )


def _commit(span: str, name: str) -> str:
    return _git(span, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}").decode().strip()


def _blobs(span: str, commit: str, paths: Sequence[Path]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Name, and mode with object, of each file that is to be read."""
    listed = _git(span, "ls-tree", "-r", "-z", commit, "--", *(path.as_posix() for path in paths))
    for entry in listed.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        about, _, name = entry.partition("\t")
        mode, _, blob = about.split(" ")
        if mode != _SUBMODULE and _is_read(name, paths):
            yield name, (mode, blob)


def _leads_to(path: Path, name: str) -> bool:
    return PurePosixPath(name).is_relative_to(path.as_posix())


def _is_read(name: str, paths: Sequence[Path]) -> bool:
    """Whether a file is named, or is below a named directory as files are that are read there."""
    for path in paths:
        if _leads_to(path, name):
            below = PurePosixPath(name).relative_to(path.as_posix()).parts
            if not below or (name.endswith(SUFFIXES) and not any(part.startswith(".") for part in below)):
                return True
    return False


def _read(blobs: Mapping[str, tuple[str, str]], reading: ConfigReading) -> Contents:
    contents = Contents()
    command = ["git", "cat-file", "--batch"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as git:
        to, answers = cast("IO[bytes]", git.stdin), cast("IO[bytes]", git.stdout)
        for name, (mode, blob) in blobs.items():
            if mode == _LINK:
                fault = "this is a link, which is not followed in a commit: name the file that it leads to"
                contents.faults.append(Fault(name, 1, fault))
            else:
                contents.add(read_content(_blob(to, answers, blob), Path(name), reading))
    return contents


def _blob(to: IO[bytes], answers: IO[bytes], blob: str) -> bytes:
    """Content of a blob, from ``git cat-file --batch``: a line ``ID blob BYTES``, the bytes, and a line's end."""
    to.write(f"{blob}\n".encode())
    to.flush()
    size = int(answers.readline().split()[2])
    return answers.read(size + 1)[:size]


def _git(span: str, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, check=False)  # noqa: S607 - git of whoever runs this
    except OSError as error:
        raise ConfigurationError(f"--diff: git cannot be run ({error.strerror}): install it") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise ConfigurationError(f"--diff {span}: git {arguments[0]}: {said or 'failed'}: name commits that are here")
    return done.stdout
