"""The playground's core, with OPAs of its own: what it decides, what settings change, and who sees what."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from warden.base.errors import ConfigurationError, InputError, SettingsError
from warden.console.config import ConsolePolicy
from warden.console.policy.pastes import Paste
from warden.console.policy.playground import Playground
from warden.console.policy.policy_trials import Busy, PolicyTrials
from warden.console.policy.sample import SampledSnapshot
from warden.console.policy.view_scope import ViewScope
from warden.demo.estate import iter_estate
from warden.state.snapshot.directory import write_snapshot

TOPIC = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaTopic
metadata:
  name: shop.orders.created
  labels: {strimzi.io/cluster: dev-lab}
spec:
  partitions: 3
  replicas: 3
  config: {retention.ms: 60000}
"""
SHORTER = "rules:\n  KFK-RET-001: {params: {min: 1000}}\n"
LONGER = "rules:\n  KFK-RET-001: {params: {min: 432000000}}\n"
REQUEST = {"topics": [{"name": "orders", "numPartitions": 3, "replicationFactor": 3, "configs": []}]}


@pytest.fixture(scope="module")
def policies(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PolicyTrials]:
    """The policy in force, with a file of a site's own."""
    path = tmp_path_factory.mktemp("settings") / "site.yaml"
    path.write_text("rules:\n  KFK-DUR-001:\n    mode: warn\n", encoding="utf-8")
    made = PolicyTrials(ConsolePolicy(settings=path))
    yield made
    made.close()


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> SampledSnapshot:
    """Two clusters of the embedded estate, as of today."""
    directory = tmp_path_factory.mktemp("snapshot")
    for name, state in iter_estate(topics=400):
        if name in ("dev-lab", "dev-us"):
            write_snapshot(directory, name, state, day=datetime.now(UTC).date(), format="jsonl")
    return SampledSnapshot(directory)


@pytest.fixture(scope="module")
def playground(policies: PolicyTrials, snapshot: SampledSnapshot) -> Playground:
    """A playground with a snapshot."""
    return Playground(policies, snapshot)


def decide(playground: Playground, text: Any, scope: ViewScope = ViewScope(), **fields: Any) -> dict[str, Any]:
    """What it says to one paste."""
    text = text if isinstance(text, str) else json.dumps(text)
    return playground.decide(Paste(text=text, **fields), scope)


def topics(snapshot: SampledSnapshot) -> dict[str, Any]:
    """The topics of the cluster of the snapshot that these tests are about."""
    state = snapshot.read_state("dev-lab")
    assert state is not None
    found: dict[str, Any] = state["topics"]
    return found


def broken(row: dict[str, Any]) -> dict[str, str]:
    """The rules that a row breaks, with their effects."""
    return {each["rule"]: each["effect"] for each in row["violations"]}


def test_a_manifest(playground: Playground) -> None:
    """Decided as `warden check` does: the line of what is wrong, the fix, which setting of which line decided."""
    (row,) = decide(playground, TOPIC)["decided"]
    (wrong,) = [each for each in row["violations"] if each["rule"] == "KFK-RET-001"]

    assert ("CreateTopic", "dev-lab", "ci", "denied", "line 4") == tuple(
        row[name] for name in ("operation", "cluster", "enforcementPoint", "status", "place")
    )
    assert (9, "set retention.ms to 3600000") == (wrong["line"], wrong["fix"])
    assert row["rules"]["KFK-RET-001"]["settings"]["min"]["from"].startswith("as shipped, data.yaml:")
    assert "site.yaml:3" == row["rules"]["KFK-DUR-001"]["settings"]["mode"]["from"]
    assert "broken KFK-RET-001\n" in row["explanation"]
    assert "clusterState" not in row["input"]
    assert row["before"] is None


def test_a_manifest_of_what_is_there(playground: Playground, snapshot: SampledSnapshot) -> None:
    """With a snapshot it is known whether a topic is altered; without one, what reads the cluster is not evaluated."""
    name = next(iter(topics(snapshot)))
    text = TOPIC.replace("shop.orders.created", name)
    row, labels = decide(playground, text)["decided"]
    (unknown,) = decide(playground, TOPIC, cluster="elsewhere")["decided"]
    (limited,) = decide(playground, text, ViewScope(sees_all_owners=False))["decided"]

    operations = [each["operation"] for each in (row, labels, limited)]
    assert ["AlterTopic", "AuditTopicLabels", "CreateTopic"] == operations
    stricter = "rules:\n  KFK-GOV-001: {mode: deny}\n"
    _, tried = decide(playground, text, settings=stricter)["decided"]
    assert (labels["status"], "denied") == (tried["before"], tried["status"])
    assert "allowed" == labels["status"] != row["status"]
    assert "not evaluated" == unknown["rules"]["KFK-SIZ-002"]["result"]
    assert "not evaluated" == limited["rules"]["KFK-SIZ-002"]["result"]
    assert "not evaluated" != row["rules"]["KFK-SIZ-002"]["result"]


@pytest.mark.parametrize(
    ("form", "text", "resource"),
    [
        ("auto", "topic: shop.orders.created\nnumPartitions: 3\nreplicationFactor: 3\n", "shop.orders.created"),
        (
            "terraform",
            'resource "kafka_topic" "a" {\n  name = "shop.a.b"\n  partitions = 3\n  replication_factor = 3\n}\n',
            "shop.a.b",
        ),
        ("properties", "process.roles=broker\nnode.id=1\nlog.retention.ms=1000\n", "broker 1"),
    ],
)
def test_other_files(playground: Playground, form: str, text: str, resource: str) -> None:
    """All that `warden check` reads."""
    (row,) = decide(playground, text, form=form)["decided"]

    assert (resource, True) == (row["name"], row["status"] in ("allowed", "denied"))


def test_a_kafka_request(playground: Playground) -> None:
    """As the gateway decides it, with what its client would get."""
    request = {"api": "CreateTopics", "version": 7, "request": REQUEST}
    (row,) = decide(playground, request, point="gateway", principal="User:alice", cluster="dev-us")["decided"]

    assert ("denied", "POLICY_VIOLATION", "gateway") == (
        row["status"],
        row["result"]["errorName"],
        row["enforcementPoint"],
    )
    assert "deny" == broken(row)["KFK-NAM-001"]
    assert {"type": "User", "name": "alice"} == row["input"]["principal"]
    assert {"key": "CreateTopics", "version": 7} == row["input"]["api"]


def test_a_decision_input(playground: Playground) -> None:
    """As it stands; what is chosen beside it goes before what it says."""
    document = {
        "operation": "CreateTopic",
        "cluster": "prod",
        "clusterState": {},
        "request": {"topic": "a", "numPartitions": 1, "replicationFactor": 3},
    }
    (row,) = decide(playground, document)["decided"]
    (other,) = decide(playground, document, cluster="dev-us", point="scan")["decided"]
    (invalid,) = decide(playground, {"operation": "Create", "request": {}})["decided"]

    assert ("prod", "ci", "dev-us", "scan") == (
        row["cluster"],
        row["enforcementPoint"],
        other["cluster"],
        other["enforcementPoint"],
    )
    assert "deny" == broken(row)["KFK-NAM-001"]
    assert ("not decided", True) == (invalid["status"], bool(invalid["others"]))


def test_settings_that_are_tried(playground: Playground, policies: PolicyTrials) -> None:
    """They change what is decided here, it says what was before, and what is in force stays."""
    with policies.take_turn():
        revision = policies.read_in_force().revision
    tried = decide(playground, TOPIC, settings=SHORTER)
    (row,), (after,) = tried["decided"], decide(playground, TOPIC)["decided"]

    assert ["KFK-RET-001 min 3600000 → 1000"] == tried["changes"]
    assert ("denied", "allowed") == (row["before"], row["status"])
    assert "your settings:2" == row["rules"]["KFK-RET-001"]["settings"]["min"]["from"]
    assert ("denied", None) == (after["status"], after["before"])
    assert revision == tried["revision"] != tried["tried"]
    assert "site.yaml:3" == row["rules"]["KFK-DUR-001"]["settings"]["mode"]["from"]


def test_a_sample(playground: Playground, snapshot: SampledSnapshot) -> None:
    """What other settings would change for topics of the snapshot, of those that one may see."""
    held = topics(snapshot)
    short = {name for name, topic in held.items() if int(topic["configs"].get("retention.ms", 604800000)) < 432000000}
    impact = decide(playground, TOPIC, settings=LONGER, sample=True)["impact"]
    (part,) = impact["parts"]
    nobody = ViewScope(sees_owner=lambda _cluster, owner: owner == "nobody")
    unseen = decide(playground, TOPIC, nobody, settings=LONGER, sample=True)["impact"]

    assert ("dev-lab", len(held), len(held)) == (impact["cluster"], impact["topics"], impact["sample"])
    assert 0 < part["denied"] <= len(short)
    assert {"KFK-RET-001"} == {rule["rule"] for rule in part["rules"] if rule["denied"]}
    assert {sample["resource"] for sample in part["samples"] if sample["kind"] == "newly denied"} <= short
    assert (0, 0) == (unseen["topics"], len(unseen["parts"]))


def test_the_size_of_a_sample(playground: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as there may be, the first and others as far from each other."""
    monkeypatch.setattr("warden.console.policy.sample.SAMPLE", 3)
    impact = decide(playground, TOPIC, settings=LONGER, sample=True)["impact"]

    assert (3, 3) == (impact["sample"], impact["parts"][0]["evaluated"])
    assert 3 < impact["topics"]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("rules:\n  KFK-RET-01: {mode: deny}\n", r"your settings:2: .*KFK-RET-01: did you mean KFK-RET-001\?"),
        ("rules:\n  KFK-RET-001:\n    mode: denied\n", "your settings:3: rules.KFK-RET-001.mode: "),
        ("rules:\n  KFK-RET-001: {params: {min: a}}\n", "your settings:2: rules.KFK-RET-001.params.min: "),
        ("- a\n", "your settings: not a mapping"),
        ("rules: {\n", "your settings:2: not YAML"),
        (
            "issuers: {a: {jwksFile: /etc/passwd}}\n",
            "your settings:1: issuers cannot be tried in the playground: write rules, ",
        ),
    ],
)
def test_mistakes_of_settings(playground: Playground, settings: str, sentence: str) -> None:
    """Each is named with its line."""
    with pytest.raises(SettingsError, match=sentence):
        decide(playground, TOPIC, settings=settings)


def test_what_is_not_decided(playground: Playground) -> None:
    """It says of each part why, and decides the others."""
    text = f"{TOPIC}---\nkind: Pod\napiVersion: v1\n---\na: [\n"
    shown = decide(playground, text, point="gatewya")

    assert 1 == len(shown["decided"])
    assert any(each.startswith("enforcement point gatewya: ") for each in shown["problems"])
    assert any(each.startswith("line 11: ") or "Pod" in each for each in shown["problems"])
    assert any("not YAML" in each for each in shown["problems"])
    for nothing in ("# nothing\n", {"api": "CreateTopics", "request": {"topics": []}}):
        (problem,) = decide(playground, nothing)["problems"]
        assert problem.startswith("nothing was found to decide here: ")


@pytest.mark.parametrize(
    ("text", "fields", "sentence"),
    [
        ({"api": "Fetch", "request": {}}, {}, "Fetch: not a request that is decided"),
        ({"api": "CreateTopics", "request": {"topics": 1}}, {}, "CreateTopics.topics is missing or of a wrong type"),
        ({"api": "CreateTopics", "request": {"topics": [{}] * 51}}, {}, "is about 51 resources: paste 50 at most"),
        ("---\n".join(TOPIC.replace("orders", f"o{n}") for n in range(51)), {}, "51 resources are declared"),
        (TOPIC, {"settings": SHORTER, "sample": True, "cluster": "prod"}, "unknown cluster prod: write one of"),
    ],
)
def test_what_cannot_be_decided(playground: Playground, text: Any, fields: dict[str, Any], sentence: str) -> None:
    """The error names what is wrong."""
    with pytest.raises(InputError, match=sentence):
        decide(playground, text, **fields)


@pytest.mark.parametrize(
    "text",
    [
        TOPIC.replace("dev-lab", "prod-eu"),
        {"operation": "CreateTopic", "cluster": "prod-eu", "request": {"topic": "a"}},
        {"api": "CreateTopics", "request": REQUEST},
    ],
)
def test_clusters_that_one_may_not_see(playground: Playground, text: Any) -> None:
    """Whatever names such a cluster, what holds there stays unseen."""
    with pytest.raises(InputError, match=r"unknown cluster .*: write one that you may see"):
        decide(playground, text, ViewScope(sees_cluster=lambda cluster: cluster == "dev-lab"))


def test_one_at_a_time(policies: PolicyTrials) -> None:
    """Who would wait for too long gets to know it."""
    impatient = PolicyTrials(ConsolePolicy(), patience=0.01)
    with impatient.take_turn(), pytest.raises(Busy, match="try again"), impatient.take_turn():
        pass


def test_principals(playground: Playground) -> None:
    """One that Kafka does not write so is refused."""
    with pytest.raises(ConfigurationError, match="principal 'alice': write it as Kafka does"):
        decide(playground, TOPIC, principal="alice")
