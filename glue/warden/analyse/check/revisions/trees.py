"""Directories of a commit of git: files beside others, and a checkout of its own for what renders directories."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePosixPath

from warden.analyse.check.readers.rendered import MARKS
from warden.base.errors import ConfigurationError

__all__ = ["build_beside_lister", "build_beside_reader", "check_out", "list_rendered", "run_git"]


def run_git(span: str, *arguments: str, environ: Mapping[str, str] | None = None) -> bytes:
    """Return what git prints.

    Args:
        span: What ``--diff`` was given, for messages.
        arguments: Of git.
        environ: Variables beside those of this process.

    Raises:
        ConfigurationError: Git cannot be run, or fails.
    """
    try:
        done = subprocess.run(
            ["git", *arguments],  # noqa: S607 - git of whoever runs this
            capture_output=True,
            check=False,
            env={**os.environ, **(environ or {})},
        )
    except OSError as error:
        raise ConfigurationError(f"--diff: git cannot be run ({error.strerror}): install it") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise ConfigurationError(f"--diff {span}: git {arguments[0]}: {said or 'failed'}: name commits that are here")
    return done.stdout


def build_beside_lister(span: str, commit: str, suffixes: tuple[str, ...]) -> Callable[[str], Mapping[str, str]]:
    """Return what returns the files of a directory, not of those below: name → object.

    Args:
        span: What ``--diff`` was given, for messages.
        commit: The commit.
        suffixes: How their names end.
    """

    @cache
    def find(directory: str) -> Mapping[str, str]:
        listed = run_git(span, "ls-tree", "-z", commit, "--", f"{directory}/").decode("utf-8", "surrogateescape")
        entries = [entry.partition("\t") for entry in listed.split("\0")[:-1]]
        files = {PurePosixPath(name).name: about.split(" ") for about, _, name in entries}
        return {
            name: blob for name, (mode, _, blob) in files.items() if name.endswith(suffixes) and mode.startswith("100")
        }

    return find


def build_beside_reader(span: str, find: Callable[[str], Mapping[str, str]]) -> Callable[[Path], Mapping[str, bytes]]:
    """Return what returns the files of a directory: name → content.

    Args:
        span: What ``--diff`` was given, for messages.
        find: See `build_beside_lister`.
    """

    @cache
    def read(directory: Path) -> Mapping[str, bytes]:
        blobs = find(directory.as_posix())
        return {name: run_git(span, "cat-file", "blob", blob) for name, blob in blobs.items()}

    return read


def list_rendered(names: Iterable[str]) -> set[str]:
    """Return the directories that are to be rendered, without those that are within another.

    Args:
        names: Files, below directories that were named.
    """
    paths = {str(PurePosixPath(name).parent) for name in names if PurePosixPath(name).name in MARKS}
    return {path for path in paths if not any(str(above) in paths for above in PurePosixPath(path).parents)}


@contextmanager
def check_out(span: str, commit: str) -> Iterator[Path]:
    """Have a commit's files in a directory of their own, as the directory of the working directory.

    Args:
        span: What ``--diff`` was given, for messages.
        commit: The commit.

    Raises:
        ConfigurationError: Git cannot do it.
    """
    with tempfile.TemporaryDirectory(prefix="warden-") as temporary:
        own = {"GIT_INDEX_FILE": f"{temporary}/index"}
        top = run_git(span, "rev-parse", "--show-toplevel").decode().removesuffix("\n")
        run_git(span, "-C", top, "read-tree", commit, environ=own)
        run_git(span, "-C", top, "checkout-index", "--all", f"--prefix={temporary}/tree/", environ=own)
        yield Path(temporary, "tree", run_git(span, "rev-parse", "--show-prefix").decode().removesuffix("\n"))
