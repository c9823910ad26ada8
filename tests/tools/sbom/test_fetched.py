"""What Warden fetches is in the SBOM with the sums that the repository pins."""

import json
from typing import Any

import pytest
from cyclonedx.model.bom import Bom
from cyclonedx.output.json import JsonV1Dot6

from tests.fixtures.image import DOCKERFILE
from tools.sbom.fetched import describe_jar, iter_fetched
from tools.sbom.image import iter_base_images
from warden.base.errors import ToolchainError
from warden.base.toolchain.jars import read_sums
from warden.base.toolchain.versions import KAFKA, OPA, OPA_SOURCES, TEMURIN, TEMURIN_SHA256


def _write(components: Any) -> dict[str, dict[str, Any]]:
    text = JsonV1Dot6(Bom(components=components)).output_as_string()
    return {one["purl"]: one for one in json.loads(text)["components"]}


def test_every_pinned_sum_is_there():
    """OPA's sources, each jar, and Java for each platform."""
    parts = _write(iter_fetched())
    opa = parts[f"pkg:golang/github.com/open-policy-agent/opa@v{OPA}"]
    java = parts[f"pkg:generic/adoptium/temurin-jre@{TEMURIN.replace('+', '%2B')}"]
    jars = [one["hashes"] for purl, one in parts.items() if purl.startswith("pkg:maven/")]

    assert [{"name": "warden:go.sum", "value": OPA_SOURCES}] == opa["properties"]
    found = {one["comment"]: one["hashes"] for one in java["externalReferences"]}
    assert {"/".join(key): [{"alg": "SHA-256", "content": one}] for key, one in TEMURIN_SHA256.items()} == found
    assert sorted(read_sums().values()) == sorted(one["content"] for (one,) in jars)


@pytest.mark.parametrize(
    ("file", "purl", "scope"),
    [
        ("org.apache.kafka_kafka_2.13-{}.jar", "pkg:maven/org.apache.kafka/kafka_2.13@{}", "optional"),
        ("org.apache.kafka_kafka-clients-3.5.2.jar", "pkg:maven/org.apache.kafka/kafka-clients@3.5.2", "excluded"),
        ("org.javassist_javassist-3.30.2-GA.jar", "pkg:maven/org.javassist/javassist@3.30.2-GA", "optional"),
        ("a.b_log4j-1.2-api-2.25.1.jar", "pkg:maven/a.b/log4j-1.2-api@2.25.1", "optional"),
        ("com.g_guava-33.4.0-jre.jar", "pkg:maven/com.g/guava@33.4.0-jre", "optional"),
    ],
)
def test_a_jar_has_its_coordinates(file, purl, scope):
    """They are in its name; those of older Kafkas are for tests alone."""
    ((found, part),) = _write([describe_jar(file.format(KAFKA), "0" * 64)]).items()

    assert (purl.format(KAFKA), scope) == (found, part["scope"])


def test_a_jar_of_another_name_is_an_error():
    """It has no coordinates that could be compared with anything."""
    with pytest.raises(ToolchainError, match=r"kafka\.jar is not named group_artefact-version\.jar"):
        describe_jar("kafka.jar", "0" * 64)


def test_base_images_are_those_of_the_dockerfile():
    """By digest: Python's is below the image, Go's only builds."""
    parts = _write(iter_base_images(DOCKERFILE)).values()

    assert {("python", "required"), ("golang", "excluded")} == {(one["name"], one["scope"]) for one in parts}
    assert [] == [one for one in parts if f"@sha256:{one['hashes'][0]['content']}\n" not in DOCKERFILE]
