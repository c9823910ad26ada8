"""Lines over days, as the points of SVG. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

__all__ = ["Plot", "choose_scale_start", "draw_sparks", "plot"]

_WIDTH, _HEIGHT = 1080, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 12, 28


@dataclass(frozen=True)
class Plot:
    """A line over days.

    Args:
        pieces: Points of polylines; a day without a value ends one and begins another.
        points: (x, y, words) of each value.
        marks: (y, text) of the lines behind.
        days: (x, text, anchor) of the days that are named below.
    """

    pieces: list[str]
    points: list[tuple[float, float, str]]
    marks: list[tuple[float, str]]
    days: list[tuple[float, str, str]]
    width: int = field(default=_WIDTH)
    height: int = field(default=_HEIGHT)


def plot(days: Sequence[str], shares: Sequence[float | None]) -> Plot:
    """Draw shares (0 to 1) over days, from below the least of them up to 100 %.

    Args:
        days: At least one, oldest first; drawn at equal distances.
        shares: One for each day.
    """
    low = choose_scale_start([shares])
    xs = [_compute_x(index, len(days)) for index in range(len(days))]
    ys = [None if share is None else _compute_y(share, low) for share in shares]
    points = [
        (x, y, f"{day}: {share:.1%}")
        for x, y, day, share in zip(xs, ys, days, shares, strict=True)
        if y is not None and share is not None
    ]
    marks = [low + (1 - low) * step / 4 for step in range(5)]
    named = sorted({0, len(days) // 2, len(days) - 1}) if len(days) > 2 else list(range(len(days)))
    anchors = {0: "start", len(days) - 1: "end"}
    return Plot(
        list(_iter_pieces(xs, ys)),
        points,
        [(_compute_y(mark, low), f"{mark:.1%}".replace(".0%", "%")) for mark in marks],
        [(xs[index], days[index], anchors.get(index, "middle")) for index in named],
    )


def choose_scale_start(lines: Iterable[Sequence[float | None]]) -> float:
    """Return where a scale begins that ends at 100 % and has all shares of these lines: a round one."""
    return _choose_floor(min((share for shares in lines for share in shares if share is not None), default=0.0))


def draw_sparks(shares: Sequence[float | None], low: float) -> list[str]:
    """Return the polylines of a small line, 100 by 24.

    Args:
        shares: One for each day.
        low: The share at the bottom, the same for all lines that are compared; 100 % is at the top.
    """
    step = 100 / max(len(shares) - 1, 1)
    ys = [None if share is None else round(21 - 18 * (share - low) / (1 - low), 1) for share in shares]
    return list(_iter_pieces([round(step * index, 1) for index in range(len(shares))], ys))


def _iter_pieces(xs: Sequence[float], ys: Sequence[float | None]) -> Iterator[str]:
    held: list[str] = []
    for x, y in [*zip(xs, ys, strict=True), (0.0, None)]:
        if y is not None:
            held.append(f"{x:g},{y:g}")
        elif held:
            # A line of one point would not be seen.
            yield " ".join(held if len(held) > 1 else held * 2)
            held = []


def _choose_floor(least: float) -> float:
    """A round share below the least one, so that the scale has room and its marks are round."""
    for step in (0.02, 0.04, 0.1, 0.2, 0.4, 0.6, 0.8):
        if least >= 1 - step * 0.95:
            return 1 - step
    return 0.0


def _compute_x(index: int, count: int) -> float:
    width = _WIDTH - _LEFT - _RIGHT
    return _LEFT + (width / 2 if count == 1 else round(width * index / (count - 1), 1))


def _compute_y(share: float, low: float) -> float:
    return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - (share - low) / (1 - low)), 1)
