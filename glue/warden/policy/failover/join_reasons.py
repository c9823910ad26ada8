"""Why none of several OPAs decides, in one sentence that is short enough to be shown as it is. No I/O."""

import re
from collections.abc import Iterable
from typing import Final

__all__ = ["join_reasons"]

_MAX_CHARACTERS: Final = (
    190  # characters: a longer text with an address in it is not shown (`warden.base.files.redact`)
)
_DETAIL: Final = re.compile(r"/v[01]/data/[\w/-]+| \(limits: [^)]*\)|: check.*", re.DOTALL)


def join_reasons(reasons: Iterable[str]) -> str:
    """Return several reasons as one sentence: where that is too long without details, and with the count of others."""
    whole = list(dict.fromkeys(reasons))
    text = "; ".join(whole)
    if len(whole) == 1 or len(text) <= _MAX_CHARACTERS:
        return text
    short = [_DETAIL.sub("", reason) for reason in whole]
    kept = 1
    while kept < len(short) and len("; ".join(short[: kept + 1])) <= _MAX_CHARACTERS - 20:
        kept += 1
    left = len(short) - kept
    return "; ".join(short[:kept]) + (f"; and {left} more" if left else "")
