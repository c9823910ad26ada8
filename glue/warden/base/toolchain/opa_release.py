"""Where OPA's releases are, and under which name the cache keeps the pinned one."""

import os
from collections.abc import Mapping

from warden.base.toolchain import versions

__all__ = ["build_cache_name", "build_opa_url"]

_FILES = {  # the statically linked builds where there is one: they also run on Alpine
    ("linux", "amd64"): "opa_linux_amd64_static",
    ("linux", "arm64"): "opa_linux_arm64_static",
    ("darwin", "amd64"): "opa_darwin_amd64",
    ("darwin", "arm64"): "opa_darwin_arm64_static",
}


def build_cache_name() -> str:
    """Return the name under which the cache keeps OPA for this machine."""
    return f"opa-{versions.OPA}-{os.uname().sysname}-{os.uname().machine}".lower()


def build_opa_url(name: str, processor: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return the address of the pinned OPA.

    Args:
        name: The operating system, in Go's words.
        processor: The processor, in Go's words.
        environ: Where ``WARDEN_RELEASES`` names a mirror.
    """
    from warden.base.toolchain.download import build_release_url

    return f"{build_release_url('open-policy-agent/opa', f'v{versions.OPA}', environ)}/{_FILES[name, processor]}"
