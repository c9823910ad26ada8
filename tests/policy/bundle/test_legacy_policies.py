"""Rego written for Kafka's older policies is evaluated by a built bundle, and building one says what is wrong."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from warden.base.errors import SettingsError
from warden.policy.bundle import build_bundle

pytestmark = pytest.mark.opa

_SITE = {
    "create_topic": 'deny contains "at least two partitions" if input.numPartitions < 2\n'
    'deny contains "let Kafka place the replicas" if input.replicasAssignments != null\n',
    "alter_config": 'deny contains $"{input.resource.type} {input.resource.name}: {name} stays" if {\n'
    "\tsome name, text in input.configs\n\ttext == null\n}\n",
}

_TOPIC = {
    "numPartitions": 1,
    "replicationFactor": 3,
    "replicasAssignments": {"0": [1, 2, 3]},
    "configs": {"flush.ms": "1000"},
    "labels": {},
    "internal": False,
    "markedForDeletion": False,
    "reassigning": {},
}


def _settings(directory: Path, **policies: str) -> Path:
    path = directory / "settings.yaml"
    path.write_text(json.dumps({"policies": {name.replace("_", "."): value for name, value in policies.items()}}))
    return path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, opa_binary: Path) -> tuple[Path, Path]:
    """A bundle whose settings name both older policies, and the directory of a site's Rego with them."""
    directory = tmp_path_factory.mktemp("legacy")
    for name, rules in _SITE.items():
        path = directory / "site" / f"{name}.rego"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"package site.legacy.{name}\n\n{rules}")
    settings = _settings(
        directory, create_topic_policy="site.legacy.create_topic", alter_config_policy="site.legacy.alter_config"
    )
    return build_bundle(directory / "bundle.tar.gz", settings=settings, opa=opa_binary).path, directory / "site"


def _legacy_errors(opa: Path, site: tuple[Path, Path], document: dict[str, Any]) -> list[str]:
    arguments = ("eval", "--stdin-input", "--format", "raw", "--bundle", str(site[0]), "--data", str(site[1]))
    whole = {"cluster": "c", "clusterState": {"topics": {"shop.orders": _TOPIC}}, **document}
    done = subprocess.run(
        [opa, *arguments, "data.kafka.decision.errors"],
        input=json.dumps(whole),
        capture_output=True,
        text=True,
        check=True,
    )
    return [line for line in json.loads(done.stdout) if ".policy: " in line]


@pytest.mark.parametrize(
    ("operation", "request_", "errors"),
    [
        (
            "CreateTopic",
            {"topic": "t", "numPartitions": 1},
            ["create.topic.policy: at least two partitions"],
        ),
        (
            "CreateTopic",
            {"topic": "t", "replicasAssignments": {"0": [1]}},
            # A null number is below any in Rego, as it was for whoever wrote that rule.
            ["create.topic.policy: at least two partitions", "create.topic.policy: let Kafka place the replicas"],
        ),
        ("CreateTopic", {"topic": "t", "numPartitions": 2, "configs": {"flush.ms": "1"}}, []),
        (
            "AlterTopic",
            {"topic": "shop.orders", "configs": {"mode": "incremental", "ops": [{"name": "flush.ms", "op": "DELETE"}]}},
            ["alter.config.policy: TOPIC shop.orders: flush.ms stays"],
        ),
        ("AlterTopic", {"topic": "shop.orders", "configs": {"mode": "full", "entries": {}}}, []),
    ],
)
def test_older_policies_are_evaluated(
    opa_binary: Path, site: tuple[Path, Path], operation: str, request_: dict[str, Any], errors: list[str]
) -> None:
    """Each sees what Kafka shows it: numbers or assignments, changed keys only, and no implicit deletion."""
    assert errors == _legacy_errors(opa_binary, site, {"operation": operation, "request": request_})


def test_older_policies_are_deprecated(tmp_path: Path, opa_binary: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Building a bundle that uses one warns on stderr, once."""
    build_bundle(
        tmp_path / "b.tar.gz", settings=_settings(tmp_path, create_topic_policy="site.legacy.x"), opa=opa_binary
    )

    warning = (
        "warden: policies: create.topic.policy is deprecated: it sees neither the principal nor the topic as it is. "
        "Move its rules to data.site.rules, which topic.management.policy stands for.\n"
    )
    assert ("", warning) == capsys.readouterr()


def test_both_kinds_of_policy_exclude_each_other(tmp_path: Path, opa_binary: Path) -> None:
    """As Kafka would have it, an older policy beside the new one is an error of the configuration."""
    settings = _settings(tmp_path, create_topic_policy="site.legacy.x", topic_management_policy="kafka.rules")

    with pytest.raises(SettingsError) as raised:
        build_bundle(tmp_path / "b.tar.gz", settings=settings, opa=opa_binary)

    reason = "policies: use of config topic.management.policy precludes use of create.topic.policy"
    assert f"{settings}:1: {reason}" == str(raised.value)
