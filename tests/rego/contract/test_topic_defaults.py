"""A change of what topics inherit is decided by the rules about topics, at the cost of their shapes and not of each."""

from pathlib import Path
from typing import Any

import pytest

from tests.bench.decisions.decision_inputs import CLUSTER, state, topic
from tests.bench.decisions.profile import evaluations_by_file
from tests.bench.measures import unsigned
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_SITE = """\
package site.rules.long

deny contains {"rule": "SITE-1", "message": "kept too long"} if {
	input.operation == "AuditTopic"
	input.effective.values["retention.ms"] > 604800000
	not startswith(input.topic, "payments.orders.t1")
}
"""


def test_the_shortest_retention_for_a_whole_cluster_is_denied(query_client: OpaClient) -> None:
    """With the settings as shipped, on a cluster without topics too; an override keeps a topic out of it."""
    empty, two = query_client.decide(_altering("1", {})), query_client.decide(_altering("1", _topics(2)))
    kept = query_client.decide(_altering("1", {"a.b.c": topic()}))

    inherit = "that inherit log.retention.ms (payments.orders.t0, payments.orders.t1)"
    below = "KFK-RET-001: retention.ms 1 is below the minimum of 3600000, for"
    shrinks = "KFK-CHG-001: retention.ms shrinks from 604800000 to 1, below the 302400000 that needs no approval, for"
    assert [f"{below} every new topic that inherits log.retention.ms"] == empty["errors"] == kept["errors"]
    assert [f"{shrinks} 2 topics {inherit}", f"{below} 2 topics {inherit} and every new one"] == two["errors"]


def test_rules_are_evaluated_once_for_topics_that_set_the_same(
    opa_binary: Path, shipped_bundle: Bundle, tmp_path: Path
) -> None:
    """Ten times as many topics take no rule another evaluation; what no topic inherits takes none of any."""
    bundle = unsigned(shipped_bundle.path, tmp_path / "bundle.tar.gz")

    def evaluations(document: dict[str, Any]) -> dict[str, int]:
        return evaluations_by_file(opa_binary, bundle, "data.kafka.decision", document)

    few, many = (evaluations(_altering("1", _topics(n))) for n in (20, 200))
    other, other_of_many = (evaluations(_altering("2", _topics(n), "log.cleaner.threads")) for n in (0, 200))

    assert _of_rules(few) == _of_rules(many)
    assert few["kafka/engine/topic_defaults/shapes.rego"] < many["kafka/engine/topic_defaults/shapes.rego"]
    assert other == other_of_many
    assert not any(file.startswith("kafka/rules/retention/") for file in other)


def test_rules_of_a_site_see_each_topic(opa_binary: Path, tmp_path: Path) -> None:
    """They may read a name; a violation without a place is one of the request."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "long.rego").write_text(_SITE, encoding="utf-8")
    bundle = build_bundle(tmp_path / "bundle.tar.gz", site=[site], opa=opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as opa, opa.build_client() as client:
        decision = client.decide(_altering("604800001", _topics(3)))

    assert [
        "SITE-1: kept too long, for 2 topics that inherit log.retention.ms (payments.orders.t0, payments.orders.t2)"
    ] == [error for error in decision["errors"] if error.startswith("SITE")]
    assert ["configs", "log.retention.ms"] == decision["violations"][-1]["path"]


def _topics(n: int) -> dict[str, Any]:
    of_brokers = {**topic(), "configs": {"min.insync.replicas": "2"}}
    return {f"payments.orders.t{i}": of_brokers for i in range(n)}


def _altering(value: str, topics: dict[str, Any], name: str = "log.retention.ms") -> dict[str, Any]:
    change = {"mode": "incremental", "ops": [{"name": name, "op": "SET", "value": value}]}
    return {
        "operation": "AlterBroker",
        "cluster": CLUSTER,
        "now": "2026-11-21T10:00:00Z",
        "request": {"broker": "", "configs": change},
        "clusterState": {**state(), "topics": topics},
    }


def _of_rules(evaluations: dict[str, int]) -> dict[str, int]:
    return {file: n for file, n in evaluations.items() if file.startswith("kafka/rules/")}
