"""Progress on stderr: a spinner or a bar on a terminal, plain lines elsewhere; stdout is kept for the result."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["print_status", "show_download", "show_working"]

_PLAIN_INTERVAL_SECONDS = 20.0


def print_status(text: str) -> None:
    """Print one line for a person."""
    print(f"warden: {text}", file=sys.stderr, flush=True)


@contextmanager
def show_working(text: str) -> Iterator[None]:
    """Show that something takes long.

    Args:
        text: What is being done, as in ``building OPA 1.22.0``. Off a terminal it is printed once, and then every 20 s
            with the time that has passed, so that a build log never looks stuck.
    """
    if sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status(f"warden: {text}"):
            yield
        return
    print_status(text)
    done = threading.Event()
    ticker = threading.Thread(target=_tick, args=(text, done), daemon=True)
    ticker.start()
    try:
        yield
    finally:
        done.set()
        ticker.join()


def _tick(text: str, done: threading.Event) -> None:
    passed = _PLAIN_INTERVAL_SECONDS
    while not done.wait(_PLAIN_INTERVAL_SECONDS):
        print_status(f"{text} ({passed:.0f} s)")
        passed += _PLAIN_INTERVAL_SECONDS


@contextmanager
def show_download(text: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a download.

    Args:
        text: What is downloaded.
        total: Its size in bytes, where the server said so.

    Yields:
        A function to call with the number of bytes of each piece received.
    """
    if not sys.stderr.isatty():
        with show_working(text):
            yield lambda _count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("warden: {task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(text, total=total)
        yield lambda count: bar.advance(task, count)
