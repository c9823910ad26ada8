"""Components that no package index knows of an installation: OPA, Java and Kafka's jars, as they are pinned."""

import re
from collections.abc import Iterator

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, Property, XsUri
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from packageurl import PackageURL

from warden.base.errors import ToolchainError
from warden.base.toolchain import versions
from warden.base.toolchain.jars import read_sums
from warden.base.toolchain.java import build_temurin_url
from warden.base.toolchain.opa_release import build_opa_url

__all__ = ["build_opa_component", "build_sha256", "describe_jar", "iter_fetched"]

_JAR = re.compile(r"(?P<group>[^_]+)_(?P<name>.+)-(?P<version>\d[^-]*(?:-[A-Za-z][\w.]*)?)\.jar")

_RELEASES = {versions.KAFKA, *versions.KAFKA_MODULES.get(versions.KAFKA, {}).values()}


def iter_fetched() -> Iterator[Component]:
    """Yield what Warden obtains at first use: OPA, a Java runtime where there is none, and Kafka's jars."""
    yield build_opa_component()
    yield _make_java()
    for name, digest in sorted(read_sums().items()):
        yield describe_jar(name, digest)


def build_opa_component() -> Component:
    """Return OPA: its Go module with the checksum of the sources, and the files of its release that are pinned."""
    version = f"v{versions.OPA}"
    purl = PackageURL(type="golang", namespace="github.com/open-policy-agent", name="opa", version=version)
    return Component(
        type=ComponentType.APPLICATION,
        name="github.com/open-policy-agent/opa",
        version=version,
        bom_ref=str(purl),
        purl=purl,
        scope=ComponentScope.REQUIRED,
        external_references=[
            _build_distribution(build_opa_url(*platform, {}), platform, digest)
            for platform, digest in versions.OPA_SHA256.items()
        ],
        properties=[Property(name="warden:go.sum", value=versions.OPA_SOURCES)],
    )


def describe_jar(name: str, sha256: str) -> Component:
    """Return the component of a jar: optional, since few commands start a broker; of older Kafkas for tests alone.

    Args:
        name: Its file's, as Spark's resolver writes it: ``group_artefact-version.jar``.
        sha256: Its SHA-256 sum, hexadecimal.

    Raises:
        ToolchainError: The name has another form.
    """
    match = _JAR.fullmatch(name)
    if match is None:
        raise ToolchainError(f"{name} is not named group_artefact-version.jar, so its coordinates are unknown")
    is_older = match["group"] == "org.apache.kafka" and match["version"] not in _RELEASES
    purl = PackageURL(type="maven", namespace=match["group"], name=match["name"], version=match["version"])
    return Component(
        type=ComponentType.LIBRARY,
        group=match["group"],
        name=match["name"],
        version=match["version"],
        bom_ref=str(purl),
        purl=purl,
        scope=ComponentScope.EXCLUDED if is_older else ComponentScope.OPTIONAL,
        hashes=[build_sha256(sha256)],
    )


def build_sha256(value: str) -> HashType:
    """Return a SHA-256 sum, hexadecimal, as CycloneDX has it."""
    return HashType(alg=HashAlgorithm.SHA_256, content=value)


def _make_java() -> Component:
    purl = PackageURL(type="generic", namespace="adoptium", name="temurin-jre", version=versions.TEMURIN)
    return Component(
        type=ComponentType.PLATFORM,
        name="temurin-jre",
        version=versions.TEMURIN,
        bom_ref=str(purl),
        purl=purl,
        scope=ComponentScope.OPTIONAL,
        external_references=[
            _build_distribution(build_temurin_url(*platform, {}), platform, digest)
            for platform, digest in versions.TEMURIN_SHA256.items()
        ],
    )


def _build_distribution(url: str, platform: tuple[str, str], sha256: str) -> ExternalReference:
    return ExternalReference(
        type=ExternalReferenceType.DISTRIBUTION,
        url=XsUri(url),
        comment="/".join(platform),
        hashes=[build_sha256(sha256)],
    )
