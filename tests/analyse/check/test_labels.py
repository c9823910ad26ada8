"""Labels of a declared topic: rules about them, and by them, say of a change what they say of the whole file."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.analyse.check.conftest import Read
from tests.analyse.check.readers.terraform.test_terraform import plan, resource
from tests.analyse.check.test_command import state
from tests.fixtures.settings import build_with_settings
from tests.rego.rules.examples import Example, read_examples, rule_files
from warden.analyse.check.decisions import ClusterContext, DecidedDeclaration, decide_declarations
from warden.analyse.check.model import Declaration, FileContents
from warden.analyse.check.revisions.changes import select_changes
from warden.analyse.check.revisions.commits import Revisions
from warden.base.resources import find_shipped
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

Decide = Callable[..., list[DecidedDeclaration]]

LABELS = {"owner": "shop", "dataClass": "personal"}


def list_label_readers() -> set[str]:
    """The rules that read labels."""
    document = json.loads((find_shipped("bundle") / "catalog" / "state" / "data.json").read_text(encoding="utf-8"))
    return {id for id, paths in document["inputs"].items() if any(path[:1] == ["labels"] for path in paths)}


@pytest.fixture(scope="module")
def examples(opa_binary: Path) -> list[Example]:
    """Requests for topics that a rule which reads labels is about, and that need no state of a cluster."""
    readers = list_label_readers()
    return [
        example
        for example in read_examples(find_shipped("policies"), rule_files(opa_binary))
        if example.rule in readers and example.document["operation"] == "CreateTopic"
        if not example.document["clusterState"]
    ]


@pytest.fixture(scope="module")
def decide(examples: list[Example], opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Decide]:
    """Decides on a declaration by rules that read labels alone, with the parameters of an example on its cluster."""
    settings = {
        "rules": {rule: {"mode": "deny"} for rule in sorted({example.rule for example in examples})},
        "clusters": [
            {"match": {"name": f"example-{i}"}, "rules": {example.rule: {"params": example.params}}}
            for i, example in enumerate(examples)
            if example.params
        ],
    }
    bundle = build_with_settings(settings, tmp_path_factory.mktemp("labels"), opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as opa, opa.build_client() as client:

        def ask(*declared: Declaration, known: Any = None) -> list[DecidedDeclaration]:
            clusters = {str(one.cluster): ClusterContext(str(one.cluster), known) for one in declared}
            decided, faults, _ = decide_declarations(client, declared, clusters, {"enforcementPoint": "ci"})
            assert [] == faults
            return decided

        yield ask


def declare(request: dict[str, Any], cluster: str = "c") -> Declaration:
    """A topic as files have it."""
    numbers = {"numPartitions": -1, "replicationFactor": -1, "configs": {}}
    return Declaration(
        format="warden", operation="CreateTopic", request={**numbers, **request}, file="f", line=1, cluster=cluster
    )


def change(before: Declaration, after: Declaration, *, known: bool = False) -> list[Declaration]:
    """What is to be decided of a change."""
    sides = (FileContents(), FileContents(declared=[before]), FileContents(declared=[after]))
    return select_changes(Revisions(*sides, frozenset("f")), cluster_is_known=known).declared


def list_denials(decided: list[DecidedDeclaration]) -> set[str]:
    """The rules that deny."""
    return {finding.rule for one in decided for finding in one.list_findings() if finding.level == "error"}


def list_warnings(decided: list[DecidedDeclaration]) -> set[str]:
    """The rules that warn."""
    return {finding.rule for one in decided for finding in one.list_findings() if finding.level == "warning"}


def as_state(request: dict[str, Any], labels: dict[str, str]) -> dict[str, Any]:
    """A cluster that has the topic."""
    numbers = {"numPartitions": 1, "replicationFactor": 3, "configs": request.get("configs", {})}
    document = state(placeholder=numbers)
    (topic,) = document["topics"].values()
    return {**document, "topics": {request["topic"]: {**topic, "labels": labels}}}


def find_base(bad: Example, examples: list[Example], decide: Decide, cluster: str) -> Declaration | None:
    """The same topic as the rule allows it: with the same labels where the rule is about configs."""
    request = bad.document["request"]
    same = {} if "-GOV-" in bad.rule else {"labels": request["labels"]}
    goods = [one.document["request"] for one in examples if one.rule == bad.rule and one.message is None]
    bases = (declare({**good, "topic": request["topic"], **same}, cluster) for good in goods)
    return next((base for base in bases if bad.rule not in list_denials(decide(base))), None)


def test_one_declaration_one_decision(examples: list[Example], decide: Decide) -> None:
    """What a rule denies of the whole it denies of the change to it, and where a cluster has no labels."""
    seen = set()
    for number, bad in enumerate(examples):
        after = declare(bad.document["request"], f"example-{number}")
        if bad.message is None or not after.request.get("labels"):
            continue
        before = find_base(bad, examples, decide, str(after.cluster))
        if before is None:
            continue
        seen.add(bad.rule)
        known = as_state(dict(before.request), {})

        assert bad.rule in list_denials(decide(after)), bad.name
        assert bad.rule in list_denials(decide(*change(before, after))), bad.name
        assert bad.rule in list_denials(decide(*change(before, after, known=True), known=known)), bad.name
        assert bad.rule in list_denials(decide(after, known=known)), bad.name
    assert {"KFK-RET-003", "KFK-DUR-004", "KFK-GOV-001", "KFK-GOV-002"} <= seen


@pytest.mark.parametrize("known", [False, True], ids=["without a cluster", "with its state"])
@pytest.mark.parametrize(
    ("before", "after", "denied"),
    [
        ({}, {"owner": "shop"}, set()),
        ({"owner": "shop"}, {"owner": "shop", "dataClass": "none"}, {"KFK-GOV-002"}),
        ({"dataClass": "none"}, {"dataClass": "none", "owner": "shop"}, set()),
        (LABELS, {"dataClass": "personal"}, {"KFK-GOV-001"}),
        (LABELS, {}, {"KFK-GOV-001", "KFK-GOV-002"}),
    ],
)
def test_what_does_not_change_is_not_decided(
    decide: Decide, before: dict[str, str], after: dict[str, str], denied: set[str], known: bool
) -> None:
    """A label that is as wrong as it was stops nobody from mending another one, whatever the cluster has."""
    configs = {"retention.ms": "86400000", "min.insync.replicas": "2"}
    topic = {"topic": "payments.orders.created", "numPartitions": 1, "replicationFactor": 3, "configs": configs}
    state = as_state(topic, {}) if known else None
    changed = change(declare({**topic, "labels": before}), declare({**topic, "labels": after}), known=known)
    rules = {"KFK-GOV-001", "KFK-GOV-002"}

    assert denied == list_denials(decide(*changed, known=state)) & rules


def test_what_was_wrong_before_only_warns(decide: Decide) -> None:
    """A retention that is too long for the class, and shrinks, also with a cluster that knows no labels."""
    topic = {"topic": "payments.orders.created", "numPartitions": 1, "replicationFactor": 3, "labels": LABELS}
    before, after = (
        declare({**topic, "configs": {"min.insync.replicas": "3", "retention.ms": str(days * 86_400_000)}})
        for days in (90, 60)
    )
    for decided in (
        decide(*change(before, after)),
        decide(after, known=as_state(dict(before.request), {})),
        decide(after, known=as_state(dict(before.request), LABELS)),
    ):
        assert "KFK-RET-003" not in list_denials(decided)
        assert "KFK-RET-003" in list_warnings(decided)


@pytest.mark.parametrize(
    ("before", "after", "days", "denied"),
    [
        ("internal", "personal", 60, True),  # only what is personal may not be kept as long
        ("internal", "personal", 400, True),  # nothing may, and what is personal least
        (None, "personal", 60, True),
        ("personal", "internal", 400, False),
        ("personal", "personal", 60, False),
    ],
)
def test_labels_that_make_a_rule_hold(decide: Decide, before: str | None, after: str, days: int, denied: bool) -> None:
    """A class that is stricter denies what the file has left as it was, wherever the labels before are known from."""
    configs = {"min.insync.replicas": "3", "retention.ms": str(days * 86_400_000)}
    topic = {"topic": "payments.orders.created", "numPartitions": 1, "replicationFactor": 3, "configs": configs}
    old, new = ({"owner": "shop", **({"dataClass": name} if name else {})} for name in (before, after))
    base, head = declare({**topic, "labels": old}), declare({**topic, "labels": new})
    longer = declare({**topic, "labels": new, "configs": {**configs, "segment.ms": "86400000"}})
    for decided in (
        decide(*change(base, head)),
        decide(*change(base, head, known=True), known=as_state(topic, {})),
        decide(*change(base, head, known=True), known=as_state(topic, old)),
        decide(longer, known=as_state(topic, old)),
    ):
        assert denied == ("KFK-RET-003" in list_denials(decided))


def test_a_state_that_knows_labels_and_has_none(decide: Decide) -> None:
    """The first label of a topic is a change where the source tells labels, and is not known to be one elsewhere."""
    configs = {"min.insync.replicas": "3", "retention.ms": str(60 * 86_400_000)}
    topic = {"topic": "payments.orders.created", "numPartitions": 1, "replicationFactor": 3, "configs": configs}
    known = as_state(topic, {})
    longer = declare({**topic, "labels": LABELS, "configs": {**configs, "segment.ms": "86400000"}})

    assert "KFK-RET-003" in list_denials(decide(longer, known={**known, "meta": {**known["meta"], "labels": True}}))
    assert "KFK-RET-003" in list_warnings(decide(longer, known=known))


def test_a_form_without_labels(decide: Decide) -> None:
    """The labels of the state stay, and with them what the rules say by them."""
    topic = {"topic": "payments.orders.created", "numPartitions": 1, "replicationFactor": 3}
    known = as_state({**topic, "configs": {"retention.ms": "86400000"}}, LABELS)
    longer = declare({**topic, "configs": {"retention.ms": "5184000000"}})
    (decided,) = decide(longer, known=known)

    assert "KFK-RET-003" in list_denials([decided])
    assert [] == decide(declare({**topic, "configs": {"retention.ms": "86400000"}}), known=known)


def test_tags_of_a_plan(decide: Decide, read: Read) -> None:
    """An update of Aiven's topic has the tags that it will have, and they are decided where they change."""

    def update(
        before: dict[str, str], after: dict[str, str], ms: str, earlier_ms: str = "86400000"
    ) -> list[Declaration]:
        topic = {"topic_name": "payments.orders.created", "partitions": 3, "replication": 3}
        values = [
            {
                **topic,
                "config": [{"retention_ms": retention, "min_insync_replicas": "3"}],
                "tag": [{"key": key, "value": value} for key, value in tags.items()],
            }
            for tags, retention in ((before, earlier_ms), (after, ms))
        ]
        return read(plan(resource(["update"], *values, type="aiven_kafka_topic"))).declared

    def deny(*given: Any) -> set[str]:
        changes = [Declaration(**{**vars(one), "cluster": "c"}) for one in update(*given)]
        return list_denials(decide(*changes))

    assert "KFK-RET-003" in deny(LABELS, LABELS, "5184000000")
    assert {"KFK-RET-003"} == deny({**LABELS, "dataClass": "internal"}, LABELS, "5184000000", "5184000000")
    assert {"KFK-GOV-001"} == deny(LABELS, {"dataClass": "personal"}, "86400000")
    assert set() == deny({"dataClass": "none"}, {"dataClass": "none", "owner": "shop"}, "86400000")
