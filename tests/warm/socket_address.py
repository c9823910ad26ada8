"""Where the keeper of warm programs listens: one place for each checkout, or what WARDEN_TEST_WARM says."""

import hashlib
import os
from pathlib import Path
from typing import Final

from tests.fixtures.checkout import CHECKOUT
from warden.base.toolchain.cache import Cache

__all__ = ["find_socket", "hash_sources"]

_VARIABLE: Final = "WARDEN_TEST_WARM"
_SOURCES: Final = (
    "glue/warden/base/process",
    "glue/warden/base/toolchain",
    "glue/warden/demo",
    "glue/warden/policy/opa",
    "spark_jobs/common",
    "tests/fixtures/run/class_archives.py",
    "tests/fixtures/spark.py",
    "tests/warm",
)


def find_socket() -> Path | None:
    """The keeper's socket, whether or not one listens there; None where tests are to start their own programs."""
    given = os.environ.get(_VARIABLE, "no" if os.environ.get("CI") else "")
    if given == "no":
        return None
    checkout = hashlib.sha256(str(CHECKOUT).encode()).hexdigest()[:12]
    # Not in the checkout: the path of a socket has 107 characters at most. What comes from it is believed, so it is
    # where nobody else may write, as OPA's program is.
    return Path(given) if given else Cache.from_environment().root / f"warm-{checkout}" / "socket"


def hash_sources() -> str:
    """Of the files that say how a program is started: one that others started is not what a test would start."""
    text = hashlib.sha256()
    for name in _SOURCES:
        place = CHECKOUT / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            text.update(f"{path}\0".encode() + path.read_bytes())
    return text.hexdigest()
