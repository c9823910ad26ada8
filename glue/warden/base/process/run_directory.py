"""The directory of one run: it appears whole or not at all, and replaces that of a run of the same name."""

import fcntl
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from warden.base.errors import InputError

__all__ = ["open_run_directory"]

_LOCK = ".lock"  # held as long as the process lives that makes the run
_OLD = "-old-"  # between the name of a run's directory until it is in place and that of the run which it replaces


@contextmanager
def open_run_directory(out: Path, run_id: str) -> Iterator[Path]:
    """Yield an empty directory that becomes ``out/run_id`` when the block ends well, and vanishes when it does not.

    ``out/latest`` is a symbolic link to the run that ended last. What a process left that was killed is removed.

    Raises:
        InputError: ``out`` cannot be written.
    """
    try:
        staging, lock = _create_staging(out)
    except OSError as error:
        raise InputError(
            f"{out}: results cannot be written there ({error.strerror}): name another directory"
        ) from error
    try:
        _sweep(out, staging)
        yield staging
        _replace(staging, out / run_id)
        (out / run_id / _LOCK).unlink()  # held until the run is in place, so that another one puts the old one back
        link = staging.with_name(staging.name + "-latest")
        with suppress(OSError):  # a file system without symbolic links has the run all the same
            link.symlink_to(run_id)
            link.replace(out / "latest")
    finally:
        lock.close()
        shutil.rmtree(staging, ignore_errors=True)


def _create_staging(out: Path) -> tuple[Path, TextIO]:
    """Make a directory, and lock it; anew where another run has swept it away before it was locked."""
    while True:
        staging = out / f".running-{uuid.uuid4().hex}"
        staging.mkdir(parents=True)
        lock = (staging / _LOCK).open("w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock.fileno()), (staging / _LOCK).stat()):
                return staging, lock
        lock.close()


def _sweep(out: Path, staging: Path) -> None:
    for directory in out.glob(".running-*"):
        if directory == staging or directory.is_symlink() or _OLD in directory.name:
            continue
        with suppress(OSError), (directory / _LOCK).open("r+") as lock:  # one that is just being made has none yet
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(directory, ignore_errors=True)
    for old in out.glob(f".running-*{_OLD}*"):
        name, _, run_id = old.name.partition(_OLD)
        if old.with_name(name).exists():  # it is being replaced
            continue
        with suppress(OSError):
            if not (out / run_id).exists():
                old.rename(out / run_id)
            shutil.rmtree(old, ignore_errors=True)


def _replace(new: Path, target: Path) -> None:
    old = new.with_name(f"{new.name}{_OLD}{target.name}")
    try:
        if target.exists():
            target.rename(old)
        new.rename(target)
    except OSError as error:
        raise InputError(
            f"{target}: the results of the run cannot be put there ({error.strerror}): name another directory"
        ) from error
    finally:
        if not target.exists() and old.exists():
            old.rename(target)
        shutil.rmtree(old, ignore_errors=True)
