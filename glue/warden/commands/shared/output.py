"""Output of commands: to readers that may go away, as text or as JSON."""

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from warden.commands.shared.place_option import LocalPath

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["OutputFile", "build_console", "print_pieces", "tolerate_closed_readers"]

_STREAMS = {1: "standard output", 2: "standard error"}
_REFUSING = ("strict", "surrogateescape")  # errors that raise where an encoding lacks a character
_UNBOUNDED = 100_000  # columns, more than a table has


class _Descriptor(io.FileIO):
    """A file descriptor whose reader may go away: what is written afterwards is passed over."""

    unread = False

    def write(self, data: "bytes | bytearray | memoryview", /) -> int | None:  # type: ignore[override]  # Buffer is of 3.12
        try:
            return super().write(data)
        except BrokenPipeError:
            self.unread = True
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, self.fileno())  # for processes too that write to the same descriptor
            os.close(nothing)
            return len(data)
        except OSError as error:  # a full disk: which file it is, is not known by the descriptor
            raise OSError(error.errno, error.strerror, _STREAMS.get(self.fileno())) from error


class OutputFile(LocalPath):
    """The type of an option that names a file to write: a new one, or a regular one, which may be behind a link.

    What is written replaces the file whole; a directory, a device or a pipe would be gone afterwards.

    Args:
        example: A name for such a file.
    """

    def __init__(self, example: str) -> None:
        super().__init__(path_type=Path)
        self._example = example

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if path.is_dir():
            self.fail(f"{path} is a directory: name a file, such as {path / self._example}", param, ctx)
        if path.exists() and not path.is_file():
            self.fail(f"{path} is no regular file: name one, such as {self._example}", param, ctx)
        return Path(os.path.realpath(path)) if path.is_symlink() else path


@contextmanager
def tolerate_closed_readers() -> Iterator[None]:
    """Let what is printed in here outlive whoever reads it, as in ``warden decide FILE | head -1``.

    A decision is the exit status, and what comes after the printing (reports, the end of child processes) has to come,
    so a closed pipe is no reason to end. Sockets are another matter: their errors stay as they are.

    Raises:
        OSError: What was printed cannot be written, such as to a full disk.
    """
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_wrap_stream, streams)
    try:
        yield
    finally:
        printed = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = streams
        for stream in printed:
            stream.flush()


def _wrap_stream(stream: TextIO | None) -> TextIO:
    """The same stream over a `_Descriptor`, buffered as it was; a stream that is no file is left alone.

    A character that its encoding lacks, as Latin-1 does, is written by its number: the exit status is the decision's.
    """
    if stream is None:  # its descriptor was closed from the beginning, as by `>&-`
        return Path(os.devnull).open("w", encoding="utf-8")
    try:
        descriptor = stream.fileno()
    except (AttributeError, OSError):
        return stream
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.flush()
    raw = _Descriptor(descriptor, "w", closefd=False)
    through = stream.write_through  # python -u, PYTHONUNBUFFERED
    return io.TextIOWrapper(
        raw if through else io.BufferedWriter(raw),  # type: ignore[type-var]  # as Python makes its own
        encoding=stream.encoding,
        errors="backslashreplace" if stream.errors in _REFUSING else stream.errors,
        line_buffering=stream.line_buffering,
        write_through=through,
    )


def print_pieces(pieces: Iterable[str]) -> None:
    """Print what is made piece by piece, for as long as somebody reads it."""
    for piece in pieces:
        sys.stdout.write(piece)
        buffer = getattr(sys.stdout, "buffer", None)
        if getattr(getattr(buffer, "raw", buffer), "unread", False):
            return


def build_console() -> "Console":
    """Return the console for tables: as wide as the terminal, and elsewhere, for grep, one line for each row.

    What is printed is shown as it is: in a reason or an owner ``[legacy]`` is no style, and ``:star:`` no picture.
    """
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else _UNBOUNDED, markup=False, emoji=False)
