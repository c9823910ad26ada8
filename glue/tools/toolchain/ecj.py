"""Obtain Eclipse's compiler of Java, one jar, which compiles where a machine has a Java runtime and no JDK."""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tools.toolchain import versions
from warden.base.toolchain.cache import Cache
from warden.base.toolchain.jars import resolve_jars

__all__ = ["find_ecj"]

_NAME = f"org.eclipse.jdt_ecj-{versions.ECJ}.jar"


def find_ecj(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the pinned jar, from the cache or from Maven's repositories.

    Args:
        environ: The environment: ``WARDEN_CACHE`` and what finds a Java.

    Raises:
        ToolchainError: It cannot be fetched, or has not the sum that is pinned.
    """
    what, coordinates = f"Eclipse's compiler {versions.ECJ}", [f"org.eclipse.jdt:ecj:{versions.ECJ}"]
    fill = partial(resolve_jars, what=what, coordinates=coordinates, environ=environ)
    return Cache.from_environment(environ).obtain(f"ecj-{versions.ECJ}", fill, _refuse) / _NAME


def _refuse(fetched: Mapping[str, str]) -> str | None:
    if fetched == {_NAME: versions.ECJ_SHA256}:
        return None
    return f"{_NAME} is not the one with the SHA-256 sum {versions.ECJ_SHA256}, but {dict(fetched)}"
