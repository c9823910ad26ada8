"""Progress of a scan, shown to a person while it runs."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["show_scan_progress"]


@contextmanager
def show_scan_progress() -> Iterator[Callable[[int, int], None]]:
    """Yield a function to call with (inputs done, inputs in all): a bar on a terminal, a few lines elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from warden.base.process.progress import print_status

    console = Console(stderr=True)
    began: list[float] = []

    def measure_elapsed() -> float:
        if not began:
            began.append(time.monotonic())
        return time.monotonic() - began[0]

    if not console.is_terminal:
        reported = [0]

        def print_line(done: int, total: int) -> None:
            seconds = measure_elapsed()
            tenth = 10 * done // total if total else 0
            if not reported[0] or tenth > reported[0]:
                reported[0] = max(1, tenth)
                print_status(_format_line(done, total, seconds))

        yield print_line
        return
    rate = TextColumn("{task.fields[rate]}")
    columns = TextColumn("warden: evaluating"), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("evaluating", total=None, rate="")

        def show(done: int, total: int) -> None:
            rate = f"{done / max(0.001, measure_elapsed()):,.0f} a second"
            bar.update(task, completed=done, total=total, rate=rate)

        yield show


def _format_line(done: int, total: int, seconds: float) -> str:
    """evaluating 10,000 inputs, then how far it is, how fast, and how long it will take."""
    if not done:
        return f"evaluating {total:,} inputs"
    rate = done / max(0.001, seconds)
    left = f", {(total - done) / rate:.0f} s left" if done < total else ""
    return f"evaluated {done:,} of {total:,} inputs, {rate:,.0f} a second{left}"
