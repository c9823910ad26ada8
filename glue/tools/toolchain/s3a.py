"""Obtain the jars with which Spark has ``s3a://``: `hadoop-aws`, and what it needs of AWS' SDK and no more.

All of the SDK is a jar of 686 MB, which `hadoop-aws` depends on; its modules for S3 are 9 MB.
"""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from tools.toolchain import versions
from warden.base.toolchain.cache import Cache
from warden.base.toolchain.jars import SUMS_FILE, read_sums, resolve_jars

__all__ = ["fetch_s3a_jars", "find_s3a_jars"]

_SDK: Final = "software.amazon.awssdk"
_MODULES: Final = ("apache-client", "netty-nio-client", "s3-transfer-manager")
_EXCLUDED: Final = (
    f"{_SDK}:bundle",
    "org.wildfly.openssl:wildfly-openssl",  # faster TLS, where it is there
    # Spark brings its own.
    *("commons-codec:*", "commons-logging:*", "io.netty:*", "org.apache.httpcomponents:*", "org.slf4j:*"),
)


def find_s3a_jars(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the directory of the pinned jars, from the cache or from Maven's repositories.

    Args:
        environ: The environment: ``WARDEN_CACHE`` and what finds a Java.

    Raises:
        ToolchainError: They cannot be fetched, or one has not the sum that is pinned.
    """
    name = f"s3a-{versions.HADOOP}-{versions.AWS_SDK}"
    return Cache.from_environment(environ).obtain(name, partial(fetch_s3a_jars, environ=environ), _refuse)


def fetch_s3a_jars(directory: Path, environ: Mapping[str, str] = os.environ) -> None:
    """Fetch the jars into an empty directory; their sums are not compared with anything.

    Args:
        directory: Where they go.
        environ: As of `find_s3a_jars`.

    Raises:
        ToolchainError: They cannot be fetched.
    """
    coordinates = [f"org.apache.hadoop:hadoop-aws:{versions.HADOOP}"]
    coordinates += [f"{_SDK}:{module}:{versions.AWS_SDK}" for module in _MODULES]
    resolve_jars(directory, f"S3A {versions.HADOOP}", coordinates, environ, excluded=_EXCLUDED)


def _refuse(fetched: Mapping[str, str]) -> str | None:
    sums = read_sums()
    others = sorted(name for name, digest in fetched.items() if sums.get(name) != digest)
    return f"not as {SUMS_FILE} pins: {', '.join(others)}" if others else None
