"""Which mutants are tried when not all are: a choice by their names, so that a change elsewhere does not change it."""

import hashlib
import os

__all__ = ["SEED", "is_chosen"]

SEED = int(os.environ.get("WARDEN_SEED") or 1)
"""The choice that is made where no option says another."""


def is_chosen(name: str, percent: int, seed: int = SEED) -> bool:
    """Whether a mutant is among a share of all.

    Args:
        name: What it changes, with its file: as long as these words stay, the answer does.
        percent: The share.
        seed: Another makes another choice; a larger share of the same seed holds the smaller one.
    """
    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    return int.from_bytes(digest[:8], "big") * 100 < percent << 64
