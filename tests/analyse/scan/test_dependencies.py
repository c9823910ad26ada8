"""What decisions depend on, of Warden's rules and of a site's own."""

from pathlib import Path
from typing import Any

import pytest

from warden.analyse.scan.dependencies import (
    Dependencies,
    build_dependencies,
    merge_dependencies,
    select,
    with_site_rules,
)
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.opa import evaluate_opa, run_opa_json

FOUND: dict[str, Any] = {"state": [], "clusters": [], "topic": False, "clock": False}


def test_of_wardens_rules() -> None:
    """What the operation shares, what is looked up in other clusters, and whether the state's age matters."""
    looked_up = {"clusters": ["totals"], "topic": True}
    required = {
        "shared": {"A": {"meta": True}, "B": {}},
        "own": {"A": [["users", {"of": "user"}]], "B": []},
        "aged": ["B"],
    }
    nothing = {"clusters": [], "topic": False}

    assert {
        "A": Dependencies({"meta": True}, ("totals",), topic=True, own=(["users", {"of": "user"}],)),
        "B": Dependencies({}, clock=True),
    } == build_dependencies({**required, "lookups": {"A": looked_up, "B": nothing}})


def test_of_a_sites_rules() -> None:
    """What either reads; all of it where it cannot be found out what that is."""
    own = Dependencies({"brokers": {"*": {"rack": True}}}, ("meta",))

    assert own == with_site_rules(own, FOUND)
    assert Dependencies(
        {"brokers": True, "totals": True}, ("meta", "users"), topic=True, clock=True
    ) == with_site_rules(own, {"state": ["brokers", "totals"], "clusters": ["users"], "topic": True, "clock": True})
    everything = with_site_rules(own, {**FOUND, "state": ["*"], "clusters": ["*"]})
    assert {"*": True} == everything.state
    assert (True, True) == (everything.reads_all_topics, everything.reads_topics_elsewhere)


def test_united() -> None:
    """Two policies get what either reads."""
    one = {"defaults": True, "brokers": {"": {"configs": True}, "*": {"rack": True}}, "meta": {"labels": True}}
    other = {"totals": True, "brokers": {"*": {"host": True}}, "meta": True}

    assert {
        "defaults": True,
        "totals": True,
        "brokers": {"": {"configs": True}, "*": {"rack": True, "host": True}},
        "meta": True,
    } == merge_dependencies(Dependencies(one), Dependencies(other)).state


def test_select() -> None:
    """A selection has what it names, and no more of it than it says."""
    state = {"a": {"b": 1, "c": 2}, "d": {"x": {"y": 1, "z": 2}}, "e": 3}

    assert {"a": {"b": 1}, "d": {"x": {"y": 1}}} == select({"a": {"b": True}, "d": {"*": {"y": True}}}, state)
    assert state == select({"*": True}, state)


def test_which_topics() -> None:
    """All topics of a cluster, all of all clusters, or those of one name."""
    flags = [
        (
            depends.reads_all_topics,
            depends.reads_topics_elsewhere,
            depends.reads_topic_by_name,
            depends.reads_other_clusters,
        )
        for depends in (
            Dependencies({"totals": True}),
            Dependencies({"topics": True}),
            Dependencies({}, topic=True),
            Dependencies({}, ("totals",), topic=True),
            Dependencies({}, ("topics",), topic=True),
        )
    ]

    assert [(0, 0, 0, 0), (1, 0, 0, 0), (0, 0, 1, 1), (0, 0, 1, 1), (0, 1, 0, 1)] == flags


@pytest.mark.opa
def test_what_may_answer_otherwise(opa_binary: Path, shipped_bundle: Bundle) -> None:
    """All that OPA itself calls nondeterministic."""
    builtins = run_opa_json(opa_binary, "capabilities", "--current")["builtins"]
    unstable = {tuple(one["name"].split(".")) for one in builtins if one.get("nondeterministic")}
    query = "data.kafka.dependencies._unstable_functions"
    listed = {tuple(name) for name in evaluate_opa(opa_binary, "--bundle", str(shipped_bundle.path), query)}

    assert unstable <= listed
    assert listed <= {tuple(one["name"].split(".")) for one in builtins}
