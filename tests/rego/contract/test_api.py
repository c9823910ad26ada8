"""The version of the API that a request came by: from Kafka's protocol through the adapter to the rule about it."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.rego.contract.documents import VALID
from warden.base.resources import find_shipped
from warden.policy.adapter import parse_request
from warden.policy.adapter.request_types import REQUEST_TYPES
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.opa.client import OpaClient

_STATE = VALID["CreateTopic"]["clusterState"]
(_STORED,) = _STATE["topics"]
_PROPOSED = {"AlterClientConfigs", "DescribeClientConfigs"}  # KIP-649, which is in no release


def _known(opa_binary: Path) -> list[str]:
    rule = read_rule_metadata(opa_binary, find_shipped("policies"))["KFK-CLI-007"]
    names: list[str] = rule["params"]["versions"]["propertyNames"]["enum"]
    return names


@pytest.mark.opa
@pytest.mark.parametrize(
    ("form", "request_", "version", "warned"),
    [
        ("CreateTopics", {"topics": [{"name": "a.b.c"}]}, 1, "version 1, which is below the minimum of 2"),
        ("CreateTopics", {"topics": [{"name": "a.b.c"}]}, 2, None),
        ("CreateTopics", {"topics": [{"name": "a.b.c"}]}, None, None),
        ("DeleteTopics", {"topicNames": [_STORED]}, 0, "version 0, which is below the minimum of 1"),
        ("CreatePartitions", {"topics": [{"name": _STORED, "count": 4}]}, 0, None),
    ],
)
def test_an_old_client_is_reported(
    query_client: OpaClient, form: str, request_: dict[str, Any], version: int | None, warned: str | None
) -> None:
    """Under the settings as shipped a request warns whose version Kafka 4.0 no longer takes."""
    parsed = parse_request(form, request_, version=version)
    (decision,) = query_client.decide_many(parsed.inputs, {"cluster": "c", "clusterState": _STATE}).values()

    message = f"the request is {form} in {warned}"
    expected = [] if warned is None else [("KFK-CLI-007", "warn", message, ["api", "version"])]
    found = [violation for violation in decision["violations"] if violation["rule"] == "KFK-CLI-007"]
    assert expected == [(one["rule"], one["effect"], one["message"], one["path"]) for one in found]


@pytest.mark.opa
def test_the_apis_that_are_known(query_client: OpaClient, opa_binary: Path) -> None:
    """A decision input takes the APIs that settings take, among them all that the adapter reads; no other."""
    document = {"operation": "AlterScram", "cluster": "c", "clusterState": {}, "request": {}, "api": {}}
    (error,) = [error for error in query_client.decide(document)["errors"] if error.startswith("api: ")]

    assert _known(opa_binary) == error.partition("its key one of ")[2].split(", ")
    assert set() == set(REQUEST_TYPES) - set(_known(opa_binary))


@pytest.mark.kafka
@pytest.mark.opa
def test_the_shipped_versions_are_kafkas(opa_binary: Path, jvm: Any) -> None:
    """The least versions are the oldest that the pinned Kafka takes; where it takes all, there is no row."""
    settings = yaml.safe_load((find_shipped("bundle") / "settings" / "data.yaml").read_text("utf-8"))
    keys = jvm.org.apache.kafka.common.protocol.ApiKeys.values()
    oldest = {key.name: key.oldestVersion() for key in keys}

    of_kafka = {name: oldest[name] for name in _known(opa_binary) if name not in _PROPOSED}
    shipped = settings["rules"]["KFK-CLI-007"]["params"]["versions"]
    assert {name: {"min": version} for name, version in of_kafka.items() if version > 0} == shipped
