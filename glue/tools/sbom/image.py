"""Components of the image besides its Python packages: Warden's wheel, OPA, and the images it is built from."""

import re
from collections.abc import Iterator
from pathlib import Path

from cyclonedx.model.component import Component, ComponentScope, ComponentType
from packageurl import PackageURL
from packaging.utils import parse_wheel_filename

from tools.sbom.fetched import build_opa_component, build_sha256
from warden.base.toolchain.cache import hash_file

__all__ = ["iter_base_images", "iter_image_parts"]

_BASE = re.compile(r"^ARG \w+=(?P<name>[\w./-]+):(?P<tag>[\w.-]+)@sha256:(?P<sum>[0-9a-f]{64})$", re.MULTILINE)


def iter_image_parts(dockerfile: str, wheel: Path) -> Iterator[Component]:
    """Yield what is in the image, and what it was built with.

    Args:
        dockerfile: Text of the Dockerfile.
        wheel: Warden's.
    """
    name, version, _build, _tags = parse_wheel_filename(wheel.name)
    purl = PackageURL(type="pypi", name=str(name), version=str(version))
    yield Component(
        type=ComponentType.APPLICATION,
        name=str(name),
        version=str(version),
        bom_ref=str(purl),
        purl=purl,
        hashes=[build_sha256(hash_file(wheel))],
        scope=ComponentScope.REQUIRED,
    )
    yield build_opa_component()
    yield from iter_base_images(dockerfile)


def iter_base_images(dockerfile: str) -> Iterator[Component]:
    """Yield the images that a Dockerfile names by digest: Python's is below ours, Go's only builds."""
    for match in _BASE.finditer(dockerfile):
        digest = f"sha256:{match['sum']}"
        purl = PackageURL(type="docker", name=match["name"], version=digest, qualifiers={"tag": match["tag"]})
        is_below = match["name"] == "python"
        yield Component(
            type=ComponentType.CONTAINER,
            name=match["name"],
            version=match["tag"],
            bom_ref=str(purl),
            purl=purl,
            hashes=[build_sha256(match["sum"])],
            scope=ComponentScope.REQUIRED if is_below else ComponentScope.EXCLUDED,
        )
