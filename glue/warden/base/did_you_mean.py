"""The name that somebody who wrote another one may have meant. Pure."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import takewhile

__all__ = ["describe_unknown", "did_you_mean", "find_nearest"]


def find_nearest(name: str, names: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """Return the name that is most like another, whatever its case, ``-``, ``_`` and ``.``; None where none is.

    Args:
        name: What was written.
        names: Those that there are.
        likeness: The least ratio of equal letters, from 0 to 1, as of `difflib.SequenceMatcher.ratio`.
    """
    letters = _normalise_name(name)
    likes = [(_score_likeness(letters, _normalise_name(candidate)), candidate) for candidate in sorted(names)]
    best = max((like for like, _ in likes), default=(0.0, 0))
    return next((candidate for like, candidate in likes if like == best and like[0] >= likeness), None)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return the end of a sentence about an unknown name: ``: did you mean X?``; empty where none is near."""
    near = find_nearest(name, names)
    return f": did you mean {near}?" if near else ""


def describe_unknown(kind: str, name: str, names: Iterable[str]) -> str:
    """Return the sentence about a name that there is not: ``unknown KIND NAME: write one of X, Y``, or the nearest.

    Args:
        kind: What it should be the name of: ``format``.
        name: What was written; it is quoted where it is empty, or has what is no part of a name.
        names: Those that there are, few enough to be named.
    """
    there = [*names]
    near = find_nearest(name, there)
    shown = name if re.fullmatch(r"[^\W_][\w./:+-]*", name, re.ASCII) else repr(name)
    advice = f"write {f'{near}, the nearest' if near else 'one'} of {', '.join(there)}" if there else "there is none"
    return f"unknown {kind} {shown}: {advice}"


def _score_likeness(letters: str, other: str) -> tuple[float, int]:
    """The ratio of equal letters, then the length of the common beginning, which decides where ratios are the same."""
    begins = takewhile(lambda pair: pair[0] == pair[1], zip(letters, other, strict=False))
    return SequenceMatcher(None, letters, other).ratio(), sum(1 for _ in begins)


def _normalise_name(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter not in "-_.")
