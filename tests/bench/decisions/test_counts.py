"""What decisions cost, in numbers that do not move with the machine, does not grow unnoticed and is published."""

import json
from pathlib import Path

import pytest

from tests.bench.decisions.costs_page import PAGE, costs_page
from tests.bench.decisions.counting_opa import CountingOpa
from tests.bench.decisions.counts import BASELINE, changed, count
from tests.bench.decisions.decision_inputs import CLUSTER, decision_inputs, state
from tests.bench.decisions.growth import stored_topics
from tests.bench.decisions.profile import evaluations_by_file
from tests.bench.decisions.sequence import CAP, items_in_order
from tests.bench.measures import opa_bench
from warden.base.resources import find_shipped
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.opa import evaluate_opa


@pytest.mark.costs
@pytest.mark.opa
def test_no_decision_costs_a_tenth_more_or_less_than_its_baseline() -> None:
    """Of each operation and of each rule; `counts --update` accepts new figures and publishes them."""
    assert [] == changed(count(), json.loads(BASELINE.read_text("utf-8")))


@pytest.mark.costs
@pytest.mark.opa
def test_one_opa_counts_as_its_own_commands_do(opa_binary: Path, ordered: Path, counting: CountingOpa) -> None:
    """As many evaluations as `opa eval --profile` has, and as many allocations as `opa bench`, within a fiftieth."""
    decision_input = {**decision_inputs()["CreateTopic"], "clusterState": state()}
    profile = evaluations_by_file(opa_binary, ordered, "data.kafka.decision", decision_input)
    body = json.dumps({"input": decision_input}).encode()
    allocations = opa_bench(opa_binary, ordered, "data.kafka.decision", body, 1)["allocationsPerDecision"]

    assert sum(profile.values()) == sum(counting.evaluations("data.kafka.decision", decision_input).values())
    assert counting.allocations("decision", decision_input, times=100) == pytest.approx(allocations, rel=0.02)


@pytest.mark.opa
def test_the_page_tells_the_baseline(opa_binary: Path) -> None:
    """The page of costs is the one that `tests.bench.decisions.counts --update` writes with the baseline."""
    rules = read_rule_metadata(opa_binary, find_shipped("policies"))
    assert PAGE.read_text("utf-8") == costs_page(json.loads(BASELINE.read_text("utf-8")), rules)


@pytest.mark.opa
def test_each_operation_is_evaluated_and_allowed(opa_binary: Path, bare: Path) -> None:
    """A decision that refuses at once would cost too little."""
    items = {name: {**decision_input, "clusterState": state()} for name, decision_input in decision_inputs().items()}
    errors = "{name: decision.errors | some name, decision in data.kafka.decisions}"
    query = f"[{errors}, object.keys(data.kafka.operations)]"
    found, operations = evaluate_opa(opa_binary, "--bundle", str(bare), query, stdin=json.dumps({"items": items}))

    assert {name: [] for name in operations} == found


@pytest.mark.opa
def test_the_cost_does_not_depend_on_how_many_topics_are_stored(opa_binary: Path, bare: Path, tmp_path: Path) -> None:
    """As many evaluations in each file of the policies with 10,000 topics as with 100.

    But of a broker that starts: its file has other defaults of topics, and what these do to each is looked at.
    """
    counts = []
    for topics in (100, 10_000):
        data = tmp_path / f"{topics}.json"
        data.write_text(json.dumps(stored_topics(topics)), encoding="utf-8")
        items = {
            "items": {
                name: decision_input for name, decision_input in decision_inputs().items() if name != "StartBroker"
            }
        }
        counts.append(evaluations_by_file(opa_binary, bare, "data.kafka.decisions", items, data))

    assert counts[0] == counts[1]
    assert counts[0]["kafka/rules/sizing/partitions.rego"] > 0


@pytest.mark.slow
@pytest.mark.opa
def test_the_cost_does_not_depend_on_what_other_brokers_are_configured_with(
    opa_binary: Path, bare: Path, tmp_path: Path
) -> None:
    """As many allocations for all operations with 6,000 configs of other brokers as with none.

    OPA makes terms of stored objects as they are read, which no count of evaluations shows. Reading these would take
    more than a tenth more; beside other work the figures differ by a hundredth.
    """
    allocations = []
    with CountingOpa(opa_binary, bare, tmp_path) as opa:
        for more in (0, 3000):
            stored = state(100)
            for id_ in ("2", "3"):
                stored["brokers"][id_]["configs"] |= {f"config.{i}": str(i) for i in range(more)}
            opa.replicate({CLUSTER: stored})
            allocations.append(opa.allocations("decisions", {"items": decision_inputs()}))

    assert allocations[1] == pytest.approx(allocations[0], rel=0.05)


@pytest.mark.costs
@pytest.mark.opa
@pytest.mark.parametrize("fitting", ["all", "half"])
def test_an_item_of_a_long_request_costs_no_more_than_one_of_a_short(
    opa_binary: Path, ordered: Path, counting: CountingOpa, fitting: str
) -> None:
    """Evaluations and allocations of an item, of 100 and of 800, each with what those before it add.

    A look-up that goes through all items shows in the allocations alone.
    """
    evaluations, allocations, allowed = [], [], []
    for items in _LENGTHS:
        decision_input = items_in_order(items, {"all": CAP, "half": items // 4}[fitting])
        counts = evaluations_by_file(opa_binary, ordered, "data.kafka.decisions", decision_input)
        evaluations.append(sum(counts.values()) / items)
        allocations.append(counting.allocations("decisions", decision_input, times=1) / items)
        query = "[key | some key, decision in data.kafka.decisions; decision.allowed]"
        allowed.append(len(counting.evaluate(query, decision_input)) / items)

    print(f"{fitting} fit: {evaluations} evaluations, {allocations} allocations, {allowed} allowed")
    assert evaluations[1] <= 1.1 * evaluations[0]
    assert allocations[1] <= 1.1 * allocations[0]
    assert all((share == 1) == (fitting == "all") for share in allowed)


_LENGTHS = (100, 800)


@pytest.mark.parametrize(
    ("now", "sentences"),
    [
        ({"allocations": 1100, "evaluations": 1.0}, []),
        ({"allocations": 900, "evaluations": 1.0}, []),
        ({"allocations": 1000, "evaluations": 1.2}, []),
        ({"allocations": 1000, "evaluations": 1.0, "microseconds": 5}, []),
        ({"allocations": 1101, "evaluations": 1.0}, ["allocations of AuditTopic: 1101, but the baseline says 1000"]),
        ({"allocations": 899, "evaluations": 1.0}, ["allocations of AuditTopic: 899, but the baseline says 1000"]),
        ({"allocations": 1000, "evaluations": 1.3}, ["evaluations of AuditTopic: 1.3, but the baseline says 1.0"]),
        ({"allocations": 1000}, ["evaluations of AuditTopic: None, but the baseline says 1.0"]),
    ],
)
def test_changed(now: dict[str, float], sentences: list[str]) -> None:
    """A tenth either way, and two tenths of a small figure, is still true; more is not, nor what was never accepted."""
    baseline = {"operations": {"AuditTopic": {"allocations": 1000, "evaluations": 1.0, "microseconds": 90}}}
    advice = "; if it is meant to be so run python -m tests.bench.decisions.counts --update"
    assert [sentence + advice for sentence in sentences] == changed({"operations": {"AuditTopic": now}}, baseline)
