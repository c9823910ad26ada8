"""The rules as they hold somewhere, where each value is from, and the examples that the playground opens."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from warden.base.errors import InputError
from warden.console.config import ConsoleConfig, ConsolePolicy
from warden.console.policy.engine import PolicyOpa
from warden.console.policy.playground import Playground
from warden.console.policy.policy_trials import OVERRIDES, PolicyTrials, ServedPolicy
from warden.console.policy.rules_in_force import MODES, POINTS, RuleFilter, build_example_paste, list_rules
from warden.enforce.service.config import ServiceOpa
from warden.policy.contract.schemas import read_schema

SETTINGS = """\
rules:
  KFK-RET-001: {mode: warn, params: {min: 7}}
clusters:
  - match: {name: "dev-*"}
    rules:
      KFK-RET-001: {mode: dryrun}
enforcementPoints:
  gateway:
    KFK-RET-001: {mode: disabled}
"""


@pytest.fixture(scope="module")
def policies(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PolicyTrials]:
    """A policy with settings of all three levels over a profile."""
    path = tmp_path_factory.mktemp("settings") / "site.yaml"
    path.write_text(SETTINGS, encoding="utf-8")
    made = PolicyTrials(ConsolePolicy(settings=path, profile="production"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def policy(policies: PolicyTrials) -> ServedPolicy:
    """The policy in force."""
    with policies.take_turn():
        return policies.read_in_force()


@pytest.fixture
def shipped(opa_binary: Path) -> Iterator[PolicyTrials]:
    """The policy as shipped, which examples are about."""
    made = PolicyTrials(ConsolePolicy())
    yield made
    made.close()


@pytest.mark.parametrize(
    ("cluster", "point", "mode", "origin"),
    [
        ("prod-eu", "ci", "warn", "site.yaml:2"),
        ("dev-eu", "ci", "dryrun", "site.yaml:6"),
        ("dev-eu", "gateway", "disabled", "site.yaml:9"),
    ],
)
def test_where_a_mode_is_from(policy: ServedPolicy, cluster: str, point: str, mode: str, origin: str) -> None:
    """The cluster goes before all clusters, the enforcement point before both."""
    (rule,) = list_rules(policy, RuleFilter(cluster=cluster, point=point, words="kfk-ret-001"))
    settings = {row["name"]: (row["value"], row["from"]) for row in rule["settings"]}

    assert (mode, origin) == settings["mode"]
    assert (7, "site.yaml:2") == settings["min"]
    assert "as shipped, data.yaml" == settings["justifyLabel"][1].partition(":")[0]


def test_a_profile_is_named(policy: ServedPolicy) -> None:
    """By its file, not by where that is on the machine."""
    origins = {
        row["from"] for rule in list_rules(policy, RuleFilter(cluster="a", point="ci")) for row in rule["settings"]
    }

    assert {"as shipped, data.yaml", "profile production", "site.yaml"} == {each.rpartition(":")[0] for each in origins}


def test_a_page_wraps_lines_itself(policy: ServedPolicy) -> None:
    """Lines of a paragraph that a file has wrapped are one."""
    (rule,) = list_rules(policy, RuleFilter(cluster="dev-eu", point="ci", words="kfk-ret-001"))

    assert "and so does an\nempty" in policy.metadata["KFK-RET-001"]["description"]
    assert "and so does an empty" in rule["description"]


def test_an_opa_that_runs_takes_other_settings(opa_binary: Path, tmp_path: Path) -> None:
    """Its bundle is made of other files by then: a console that runs on names what these say."""
    path = tmp_path / "site.yaml"
    config = ConsoleConfig(opa=ServiceOpa(url="http://127.0.0.1:1"), policy=ConsolePolicy(settings=path))
    with PolicyOpa(config) as opa:
        for mode in ("warn", "dryrun"):
            path.write_text(f"rules:\n  KFK-RET-001: {{mode: {mode}}}\n", encoding="utf-8")
            assert mode == opa.read_rules_in_force("prod-eu", "ci")["KFK-RET-001"].mode


def test_filters(policy: ServedPolicy) -> None:
    """By words of whatever case, and by mode; all rules without one."""
    every = list_rules(policy, RuleFilter(cluster="dev-eu", point="ci"))
    some = list_rules(policy, RuleFilter(cluster="dev-eu", point="ci", words="COMPACT tombstone"))
    dry = list_rules(policy, RuleFilter(cluster="dev-eu", point="ci", mode="dryrun"))

    assert len(policy.metadata) == len(every)
    assert 0 < len(some) < 10
    assert "KFK-RET-001" in {rule["id"] for rule in dry}
    assert {"dryrun"} == {rule["mode"] for rule in dry}
    assert [] == list_rules(policy, RuleFilter(cluster="a", point="ci", words="zzz"))


def test_every_rule_has_examples_to_try(shipped: PolicyTrials) -> None:
    """A bad one breaks its rule in the playground, a good one does not, where neither needs other settings."""
    with shipped.take_turn():
        policy = shipped.read_in_force()
    playground, wrong = Playground(shipped), []
    for rule in list_rules(policy, RuleFilter(cluster="prod-eu", point="ci")):
        places = rule["id"].startswith("KFK-PLC-")  # of workloads, which nothing of Kafka's is about
        assert (set() if places else {"bad", "good"}) == {example["kind"] for example in rule["examples"]}, rule["id"]
        for example in rule["examples"]:
            with shipped.take_turn():
                paste = build_example_paste(policy, example["id"], "prod-eu", "ci")
            if paste.settings:
                assert f"  {rule['id']}:\n" in paste.settings
                continue
            (row,) = playground.decide(paste)["decided"]
            is_broken = rule["id"] in {each["rule"] for each in row["violations"]}
            wrong += [example["id"]] if is_broken is not (example["kind"] == "bad") else []

    assert [] == wrong


@pytest.mark.parametrize("id", ["", "KFK-RET-001", "KFK-RET-001.bad.99", "KFK-RET-001.ugly.0", "KFK-RET-001.bad.-1"])
def test_examples_that_are_not_there(policy: ServedPolicy, id: str) -> None:
    """It says so."""
    with pytest.raises(InputError, match="there is no example"):
        build_example_paste(policy, id, "", "")


def test_warden_s_own_enforcement_points(policy: ServedPolicy) -> None:
    """Those that are offered are those that the policy knows."""
    with policy.build_client() as client:
        document = {"enforcementPoints": [*POINTS, "nowhere"]}
        unknown = client.evaluate("kafka/unknown_enforcement_points", document)

    assert ["nowhere"] == list(unknown)
    assert f"none of {', '.join(POINTS)}" in unknown["nowhere"]


def test_modes_are_those_of_settings() -> None:
    """The page offers what the schema of settings allows."""
    rule = read_schema("settings")["$defs"]["KFK-ACL-001"]
    assert list(MODES) == rule["properties"]["mode"]["enum"]


def test_what_may_be_tried_is_of_settings() -> None:
    """But who asks, and what stands beside decisions, may not be."""
    others = {"advice", "callers", "ecosystem", "issuers", "policies", "superUsers"}

    assert {*OVERRIDES, *others} == read_schema("settings")["properties"].keys()
