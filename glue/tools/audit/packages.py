"""The packages of an SBOM, in the words of OSV, and the files that OSV-Scanner reads them from."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from packageurl import PackageURL

from warden.base.errors import ConfigurationError

__all__ = ["ECOSYSTEMS", "Package", "Parts", "read_parts", "write_inputs"]

ECOSYSTEMS: Final = {"golang": "Go", "maven": "Maven", "pypi": "PyPI"}
"""Type of a package URL → the ecosystem of OSV that has its advisories."""


@dataclass(frozen=True, order=True)
class Package:
    """A package of one ecosystem.

    Args:
        ecosystem: In OSV's words.
        name: As the ecosystem has it: ``requests``, ``org.apache.kafka:kafka-clients``, a Go module.
        version: As the ecosystem has it; of a Go module without its ``v``.
    """

    ecosystem: str
    name: str
    version: str


@dataclass(frozen=True)
class Parts:
    """What an SBOM names.

    Args:
        packages: What OSV has advisories about.
        others: What no ecosystem of OSV covers, as name and version.
        excluded: How many are in no installation: what only tests have.
    """

    packages: frozenset[Package]
    others: tuple[str, ...]
    excluded: int


def read_parts(sbom: str) -> Parts:
    """Return what an SBOM in CycloneDX's JSON names.

    Raises:
        ConfigurationError: It is another document, or names no package.
    """
    try:
        components = [*json.loads(sbom)["components"]]
        used = [entry for entry in components if entry.get("scope") != "excluded"]
        read = [(entry, PackageURL.from_string(entry["purl"]) if "purl" in entry else None) for entry in used]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigurationError(
            f"this is not an SBOM in CycloneDX's JSON ({error!r}): make one with python -m tools.sbom"
        ) from error
    packages = frozenset(_build_package(purl) for _entry, purl in read if purl and purl.type in ECOSYSTEMS)
    if not packages:
        raise ConfigurationError("the SBOM names no package of PyPI, Maven or Go, so there is nothing to look up")
    others = [entry for entry, purl in read if purl is None or purl.type not in ECOSYSTEMS]
    return Parts(packages, tuple(sorted(map(_format_label, others))), len(components) - len(used))


def _format_label(component: dict[str, Any]) -> str:
    return f"{component['name']} {component.get('version', '')}".strip()


def _build_package(purl: PackageURL) -> Package:
    separator = ":" if purl.type == "maven" else "/"
    name = f"{purl.namespace}{separator}{purl.name}" if purl.namespace else purl.name
    return Package(ECOSYSTEMS[purl.type], name, _strip(ECOSYSTEMS[purl.type], purl.version or ""))


def _strip(ecosystem: str, version: str) -> str:
    return version.removeprefix("v") if ecosystem == "Go" else version


def write_inputs(packages: Iterable[Package], directory: Path) -> list[Path]:
    """Write the files from which OSV-Scanner takes each package with its whole name.

    Of an SBOM it drops the group of Maven's names, and then knows no vulnerability of any: a lock file of Gradle keeps
    them.

    Args:
        packages: What to write.
        directory: Where the files go.
    """
    listed = sorted(packages)
    jars = "".join(f"{jar.name}:{jar.version}=classpath\n" for jar in listed if jar.ecosystem == "Maven")
    gradle = directory / "gradle.lockfile"
    gradle.write_text(f"{jars}empty=\n", encoding="utf-8")
    types = {ecosystem: type for type, ecosystem in ECOSYSTEMS.items()}
    others = [package for package in listed if package.ecosystem != "Maven"]
    purls = [
        PackageURL.from_string(f"pkg:{types[package.ecosystem]}/{package.name}@{package.version}") for package in others
    ]
    components = [
        {"type": "library", "name": package.name, "version": package.version, "purl": purl.to_string()}
        for package, purl in zip(others, purls, strict=True)
    ]
    bom = directory / "bom.cdx.json"
    bom.write_text(json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": components}))
    return [file for file, is_used in ((gradle, bool(jars)), (bom, bool(components))) if is_used]
