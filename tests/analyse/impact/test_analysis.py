"""Recorded decisions and a snapshot under two bundles: real logs, real OPAs, real Spark."""

import json
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.analyse.impact.conftest import NOW, STATE, create
from warden.analyse.impact.local import push_states
from warden.analyse.impact.summary import OTHER_REASONS, Impact, RuleImpact, SourceImpact, TeamImpact
from warden.analyse.scan.batches import BatchLimits
from warden.base.errors import ConfigurationError, InputError
from warden.demo.estate import iter_estate
from warden.policy.opa.per_host import HostOpa
from warden.state.snapshot.directory import write_snapshot

pytestmark = [pytest.mark.spark, pytest.mark.opa, pytest.mark.slow]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cluster with a topic of each fate; the state of the cluster `replicated` is there too."""
    directory = tmp_path_factory.mktemp("snapshot") / "s"
    state = next(state for name, state in iter_estate(200) if name == "prod-eu")
    fates = {"shop.orders.small": 12, "shop.orders.middling": 60, "shop.orders.large": 600, "shop.Thin": 3}
    topics = {name: topic(partitions) for name, partitions in fates.items()}
    state |= {"meta": {**state["meta"], "topics": len(topics)}, "topics": topics}
    for cluster, held in (("prod-eu", state), ("replicated", STATE)):
        write_snapshot(directory, cluster, held, day=date(2026, 11, 21), format="jsonl")
    return directory


def topic(partitions: int) -> dict[str, Any]:
    """A topic as it stands on three brokers of three racks."""
    return {
        "numPartitions": partitions,
        "replicationFactor": 3,
        "replicasAssignments": {str(each): [1, 2, 3] for each in range(partitions)},
        "labels": {"owner": "payments", "dataClass": "confidential"},
    }


def analysed(spark: Any, servers: list[HostOpa], out: Path, **question: Any) -> Impact:
    """What the analysis says."""
    from spark_jobs.analyse.impact import ImpactInputs, analyse

    return analyse(
        spark, ImpactInputs(**question), servers[0].ensure_running_remote(), servers[1].ensure_running_remote(), out
    )


def kinds(part: SourceImpact) -> tuple[int, int, int, int, int]:
    """The counts of a part."""
    return part.evaluated, part.denied, part.allowed, part.changed, part.unchanged


def rows(out: Path, table: str) -> list[dict[str, Any]]:
    """A table of the analysis, read without Spark."""
    import pyarrow.parquet as pq

    found: list[dict[str, Any]] = pq.read_table(out / table).to_pylist()
    return found


@pytest.fixture(scope="module")
def replayed(spark: Any, servers: list[HostOpa], log: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The log under both bundles: (impact, directory)."""
    out = tmp_path_factory.mktemp("replayed")
    return analysed(spark, servers, out, decisions=[log, log]), out


def test_recorded_decisions(replayed: Any) -> None:
    """Each decision has its fate, a log that is read twice counts once, and what was recorded is reproduced."""
    impact, out = replayed
    (part,) = impact.parts
    fates = {row["resource"]: row["kind"] for row in rows(out, "changes")}

    assert {
        "shop.orders.small": "unchanged",
        "shop.orders.middling": "newly denied",
        "shop.orders.large": "changed",
        "shop.orders.Thin": "newly allowed",
        "shop.batch.a": "newly denied",
        "shop.batch.c": "newly denied",
        "shop.batch.d": "unchanged",
        "shop.readers": "unchanged",
    } == fates
    assert ("decisions", (8, 3, 1, 1, 3), 0) == (part.source, kinds(part), part.otherwise)
    assert [
        RuleImpact("KFK-SIZ-001", "high", denied=3, message=1),
        RuleImpact("KFK-NAM-001", "medium", allowed=1),
    ] == part.rules
    assert [TeamImpact("payments", 7, 3, 1, 1), TeamImpact("User:ops", 1, 0, 0, 0)] == part.teams
    assert impact.has_denials


def test_what_cannot_be_replayed_is_named(replayed: Any) -> None:
    """A masked input and a state that only OPA had: counted with the reason, and not among what was evaluated."""
    impact, out = replayed
    not_evaluated = {row["resource"]: (row["id"], row["reason"]) for row in rows(out, "not_evaluated")}

    assert {
        "the log shows the input masked: /input": [not_evaluated["shop.orders.secret"][0]],
        "it was decided with OPA's own state of cluster replicated": [not_evaluated["shop.orders.timeless"][0]],
    } == {each.reason: each.ids for each in impact.not_evaluated}
    assert [1, 1] == [each.decisions for each in impact.not_evaluated]


def test_reasons_of_few_inputs_count_as_one(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reason may name what one input alone has: the driver gets the most frequent ones, and the number of all.

    Of the inputs with a main reason it names more than of those with another one.
    """
    from spark_jobs.analyse import impact as module
    from spark_jobs.analyse.impact_inputs import NOT_REPLAYED
    from spark_jobs.common.frames import make_frame

    monkeypatch.setattr(module, "_MAX_REASONS", 2)
    monkeypatch.setattr(module, "_MAIN_REASONS", 1)
    monkeypatch.setattr(module, "_MAX_IDS", 2)
    monkeypatch.setattr(module, "_MAX_OTHER_IDS", 1)
    reasons = {"1": "rare", "2": "common", "3": "common", "4": "rarest", "5": "a rare one", "6": "common"}
    lost = make_frame(spark, ({"id": id, "reason": reason} for id, reason in reasons.items()), NOT_REPLAYED)

    assert {"common": (3, ["2", "3"]), "a rare one": (1, ["5"]), OTHER_REASONS: (2, ["1"])} == {
        row["reason"]: (row["count"], row["ids"]) for row in module._count_reasons(lost).collect()
    }


def test_samples_are_whole_inputs(replayed: Any, servers: list[HostOpa]) -> None:
    """A sample can be evaluated by itself; one of a batch has what its batch shared."""
    samples = {sample.resource: sample for sample in replayed[0].parts[0].samples}
    sample = samples["shop.batch.c"]

    assert {**create("shop.batch.c", 60)} == sample.input
    assert ("KFK-SIZ-001", "newly denied", "", "60 partitions are above the maximum of 50") == (
        sample.rule,
        sample.kind,
        sample.before,
        sample.after,
    )
    for server, allowed in zip(servers, (True, False), strict=True):
        with server.build_client() as client:
            assert allowed is client.decide(sample.input)["allowed"]


def test_state_of_a_snapshot_stands_in(
    spark: Any, servers: list[HostOpa], log: Path, snapshot: Path, tmp_path: Path
) -> None:
    """With a snapshot the decision that took OPA's state is replayed, at the time that the log says."""
    states = push_states(servers, snapshot, ["replicated", "unknown"])
    impact = analysed(spark, servers, tmp_path, decisions=[log], snapshot=snapshot, states=states)
    timeless = next(row for row in rows(tmp_path, "changes") if row["resource"] == "shop.orders.timeless")

    assert ["replicated"] == states
    assert ("newly denied", True) == (timeless["kind"], timeless["reproduced"])
    assert json.loads(timeless["item"])["now"].startswith("20")
    assert ["the log shows the input masked: /input"] == [each.reason for each in impact.not_evaluated]
    assert [("decisions", 9), ("snapshot", 4)] == [(part.source, part.evaluated) for part in impact.parts]


def test_what_is_too_large_is_not_sent(spark: Any, servers: list[HostOpa], snapshot: Path, tmp_path: Path) -> None:
    """An input above the limit that is given is not evaluated, whatever the bundle, and every other one is."""
    impact = analysed(spark, servers, tmp_path, snapshot=snapshot, limits=BatchLimits(item_bytes=4096))
    fates = {row["resource"]: (row["baseline"], row["candidate"]) for row in rows(tmp_path, "changes")}

    assert ("ERROR", "ERROR") == fates.pop("shop.orders.large")
    ((gap,), (part,)) = impact.not_evaluated, impact.parts
    assert (1, ["shop.orders.large"]) == (gap.decisions, gap.ids)
    assert gap.reason.startswith("its decision input has ")
    assert (3, 3) == (part.evaluated, sum(team.evaluated for team in part.teams))
    assert "" not in {rule.rule for rule in part.rules}
    assert {"shop.orders.small", "shop.orders.middling", "shop.Thin"} == set(fates)
    assert [] == [each for each in fates.values() if "ERROR" in each]


def test_topics_of_a_snapshot(spark: Any, servers: list[HostOpa], snapshot: Path, tmp_path: Path) -> None:
    """What turns non-compliant, what turns compliant, and what the same rule says in other words."""
    (part,) = analysed(spark, servers, tmp_path, snapshot=snapshot).parts

    assert ("snapshot", (4, 1, 1, 1, 1)) == (part.source, kinds(part))
    assert [
        RuleImpact("KFK-SIZ-001", "high", denied=1, message=1),
        RuleImpact("KFK-NAM-001", "medium", allowed=1),
    ] == part.rules
    sample = next(each for each in part.samples if each.kind == "newly denied")
    assert ("AuditTopic", "shop.orders.middling", {"request": {"topic": "shop.orders.middling"}}) == (
        sample.operation,
        sample.resource,
        {"request": sample.input["request"]},
    )


def written(path: Path, events: Iterable[dict[str, Any]]) -> Path:
    """A decision log with these events."""
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return path


def test_odd_lines_of_a_log(spark: Any, servers: list[HostOpa], tmp_path: Path) -> None:
    """An erased input, a damaged line, an input without any time: each is left out with its reason."""
    timeless = {key: value for key, value in create("a.b.c", 1).items() if key != "now"}
    known = {"path": "kafka/decision", "result": {"allowed": False}}
    events = [
        {**known, "decision_id": "erased", "timestamp": NOW, "erased": ["/input"]},
        {**known, "decision_id": "part", "timestamp": NOW, "masked": ["/input/request/configs/x"], "input": timeless},
        {**known, "decision_id": "result", "timestamp": NOW, "masked": ["/result/errors"], "input": timeless},
        {**known, "decision_id": "timeless", "input": timeless},
    ]
    log = written(tmp_path / "log", events)
    with log.open("a") as lines:
        lines.write('{"decision_id": "cut')
    impact = analysed(spark, servers, tmp_path / "out", decisions=[log])

    assert {
        "the log does not show the input": ["erased"],
        "the log shows the input masked: /input/request/configs/x": ["part"],
        "neither the input nor the log says the time": ["timeless"],
        f"{log}: the line is not JSON of a decision log, in UTF-8": [""],
    } == {each.reason: each.ids for each in impact.not_evaluated}
    (part,) = impact.parts
    assert (1, 1) == (part.evaluated, part.otherwise)


def test_what_was_decided_together(spark: Any, servers: list[HostOpa], tmp_path: Path) -> None:
    """In its order, with what the items before it add to a cap; where one cannot be replayed none of them is."""
    team = {"topics": 120, "partitions": 9950}
    state = {**STATE, "totals": {"replicas": 16200, "byOwner": {"payments": team}}}
    common = {key: value for key, value in create("x", 1, clusterState=state).items() if key != "request"}
    items = {key: {"request": create(f"shop.orders.{key}", 40)["request"]} for key in "ab"}
    document = {"common": common, "items": items, "order": ["b", "a"], "requests": {"a": "0", "b": "0"}}
    with servers[0].build_client() as client:
        result = client.evaluate("kafka/decisions", document)
    event = {"path": "kafka/decisions", "timestamp": NOW, "result": result, "input": document}
    lost = json.loads(json.dumps(event))
    del lost["input"]["common"]["clusterState"]
    lost["input"]["items"]["b"]["clusterState"] = state
    lost["result"]["a"]["stateAge"] = 1
    events = [{**event, "decision_id": "first"}, {**event, "decision_id": "second"}, {**lost, "decision_id": "lost"}]
    impact = analysed(spark, servers, tmp_path / "out", decisions=[written(tmp_path / "log", events)])

    replayed = {row["id"]: (row["baseline"], row["reproduced"]) for row in rows(tmp_path / "out", "changes")}
    assert {"a": False, "b": True} == {key: decision["allowed"] for key, decision in result.items()}
    expected = {"a": ("DENY", True), "b": ("ALLOW", True)}
    assert {f"{id}#{key}": fate for id in ("first", "second") for key, fate in expected.items()} == replayed
    alone = "it was decided with OPA's own state of cluster prod-eu"
    reasons = {alone: ["lost#a"], f"it was decided together with one that cannot be replayed: {alone}": ["lost#b"]}
    assert reasons == {gap.reason: gap.ids for gap in impact.not_evaluated}


@pytest.mark.parametrize("table", ["changes", "not_evaluated"])
def test_nothing_else_is_replaced(
    spark: Any, servers: list[HostOpa], snapshot: Path, tmp_path: Path, table: str
) -> None:
    """A directory of the same name may be somebody's."""
    (tmp_path / table).mkdir()
    (tmp_path / table / "mine.md").touch()
    with pytest.raises(InputError, match=r"mine\.md, which is of no table, would be deleted"):
        analysed(spark, servers, tmp_path, snapshot=snapshot)

    assert [tmp_path / table, tmp_path / table / "mine.md"] == sorted(tmp_path.rglob("*"))


def test_nothing_to_compare(spark: Any, servers: list[HostOpa], tmp_path: Path) -> None:
    """Neither a log nor a snapshot, or a log without decisions, is an error: it must not look like no change."""
    with pytest.raises(ConfigurationError, match="there is nothing to evaluate"):
        analysed(spark, servers, tmp_path / "out")
    with pytest.raises(InputError, match="nothing was recorded and no topic is there"):
        analysed(spark, servers, tmp_path / "out", decisions=[written(tmp_path / "log", [{"msg": "Server started."}])])
