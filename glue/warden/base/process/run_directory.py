"""The directory of one run: it appears whole or not at all, and replaces that of a run of the same name."""

import fcntl
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from warden.base.errors import InputError

__all__ = ["open_run_directory"]

_LOCK = ".lock"  # held as long as the process lives that makes the run


@contextmanager
def open_run_directory(out: Path, run_id: str) -> Iterator[Path]:
    """Yield an empty directory that becomes ``out/run_id`` when the block ends well, and vanishes when it does not.

    ``out/latest`` is a symbolic link to the run that ended last. What a process left that was killed is removed.

    Raises:
        InputError: ``out`` cannot be written.
    """
    staging = out / f".running-{uuid.uuid4().hex}"
    try:
        staging.mkdir(parents=True)
        lock = (staging / _LOCK).open("w")
    except OSError as error:
        raise InputError(
            f"{out}: results cannot be written there ({error.strerror}): name another directory"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _sweep(out, staging)
        yield staging
        (staging / _LOCK).unlink()
        _replace(staging, out / run_id)
        link = staging.with_name(staging.name + "-latest")
        with suppress(OSError):  # a file system without symbolic links has the run all the same
            link.symlink_to(run_id)
            link.replace(out / "latest")
    finally:
        lock.close()
        shutil.rmtree(staging, ignore_errors=True)


def _sweep(out: Path, staging: Path) -> None:
    for directory in out.glob(".running-*"):
        if directory == staging or directory.is_symlink():
            continue
        with suppress(OSError), (directory / _LOCK).open("r+") as lock:  # one that is just being made has none yet
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(directory, ignore_errors=True)


def _replace(new: Path, target: Path) -> None:
    old = new.with_name(new.name + "-old")
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
