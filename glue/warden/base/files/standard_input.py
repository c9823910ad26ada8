"""Standard input, as a file that is named ``-``."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from warden.base.errors import InputError
from warden.base.files.address import show_original_addresses

__all__ = ["STANDARD_INPUT", "keep_standard_input", "read_standard_input"]

STANDARD_INPUT = "standard input"
"""Its name, for messages."""


def read_standard_input(size: int = -1) -> bytes:
    """Return what is on standard input.

    Args:
        size: Bytes to read at most; -1 for all.

    Raises:
        InputError: It is closed, or cannot be read.
    """
    try:
        if sys.stdin is None:  # closed from the beginning, as by `<&-`
            raise InputError(f"{STANDARD_INPUT}: it is closed: write a document to it, or name a file")
        return sys.stdin.buffer.read(size)
    except OSError as error:
        raise InputError(f"{STANDARD_INPUT}: cannot be read ({error.strerror}): name a file") from error


@contextmanager
def keep_standard_input() -> Iterator[Path]:
    """Yield a file with what is on standard input, for what reads a file twice; errors name standard input.

    Raises:
        InputError: As of `read_standard_input`.
    """
    with TemporaryDirectory(prefix="warden-") as directory:
        file = Path(directory, "input")
        file.write_bytes(read_standard_input())
        with show_original_addresses({file: STANDARD_INPUT}):
            yield file
