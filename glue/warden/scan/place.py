"""The directory of one run: it appears whole or not at all, and a run of the same name is replaced."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from warden.errors import InputError

__all__ = ["run_directory"]


@contextmanager
def run_directory(out: Path, run_id: str) -> Iterator[Path]:
    """Yield an empty directory that becomes ``out/run_id`` when the block ends well, and vanishes when it does not.

    ``out/latest`` is a symbolic link to the run that ended last.

    Raises:
        InputError: ``out`` cannot be written.
    """
    staging = out / f".running-{uuid.uuid4().hex}"
    try:
        staging.mkdir(parents=True)
    except OSError as error:
        raise InputError(f"{out}: results cannot be written there ({error.strerror})") from error
    try:
        yield staging
        _replace(staging, out / run_id)
        link = staging.with_name(staging.name + "-latest")
        with suppress(OSError):  # a file system without symbolic links has the run all the same
            link.symlink_to(run_id)
            link.replace(out / "latest")
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _replace(new: Path, place: Path) -> None:
    old = new.with_name(new.name + "-old")
    try:
        if place.exists():
            place.rename(old)
        new.rename(place)
    except OSError as error:
        raise InputError(f"{place}: the results of the run cannot be put there ({error.strerror})") from error
    finally:
        if not place.exists() and old.exists():
            old.rename(place)
        shutil.rmtree(old, ignore_errors=True)
