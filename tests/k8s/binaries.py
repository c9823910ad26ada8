"""etcd, kube-apiserver and kustomize, built from the modules under ``programs`` and kept in the per-user cache.

``python -m tests.k8s.binaries`` builds them where that is needed and prints where they are.
"""

import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.toolchain.golang import build_module
from warden.base.errors import WardenError
from warden.base.toolchain.cache import Cache

__all__ = ["KUBERNETES", "find_program"]

KUBERNETES = "1.36.0"

_PROGRAMS = Path(__file__).with_name("programs")
_VERSION = "k8s.io/component-base/version"
_FLAGS = {  # without its version the API server says that it is v0.0.0-master
    "etcd": "-s -w",
    "kustomize": "-s -w",
    "kube-apiserver": " ".join(
        ["-s -w", f"-X {_VERSION}.gitVersion=v{KUBERNETES}", f"-X {_VERSION}.gitMajor=1 -X {_VERSION}.gitMinor=36"]
    ),
}


def find_program(name: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the binary of a program, building it first where that is needed: a cold build takes minutes.

    Args:
        name: ``etcd``, ``kube-apiserver`` or ``kustomize``.
        environ: The environment: ``WARDEN_CACHE``, ``PATH``, and the settings of Go.

    Raises:
        ToolchainError: There is no Go and no wheel of it, or the sources cannot be had.
    """
    module, flags = _PROGRAMS / name, _FLAGS[name]
    sources = hashlib.sha256(flags.encode())
    for source in ("go.mod", "go.sum", "main.go"):
        sources.update((module / source).read_bytes())
    place = f"{name}-{sources.hexdigest()[:16]}-{os.uname().sysname}-{os.uname().machine}".lower()
    directory = Cache.from_environment(environ).obtain(
        place, lambda directory: build_module(module, directory / name, flags=flags, environ=environ)
    )
    return directory / name


if __name__ == "__main__":
    try:
        for program in _FLAGS:
            print(find_program(program))
    except WardenError as trouble:
        print(f"warden: {trouble}", file=sys.stderr)
        sys.exit(2)
