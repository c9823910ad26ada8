"""`warden check`: decisions about files, their lines, and the exit status."""

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import Result

from tests.analyse.check.conftest import BAD, GOOD, Check
from tests.analyse.check.readers.terraform.test_terraform import TOPIC, plan, resource
from warden.base.errors import ConfigurationError
from warden.demo.local_broker import LocalBroker
from warden.state.snapshot.directory import write_snapshot

pytestmark = pytest.mark.opa


def state(**topics: Any) -> dict[str, Any]:
    """A cluster with topics, of one replica each."""
    blank: dict[str, Any] = {"labels": {}, "internal": False, "markedForDeletion": False, "reassigning": {}}
    blank["replicasAssignments"] = {"0": [1]}
    return {
        "brokers": {},
        "clusterSize": 3,
        "defaults": {},
        "topics": {name.replace("_", "."): {**blank, **topic} for name, topic in topics.items()},
        "totals": {"topics": len(topics), "partitions": 1, "replicas": 1, "byOwner": {}, "byPrincipal": {}},
        "meta": {"revision": "1", "observedAt": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")},
    }


def _error(result: Result) -> BaseException:
    """What a command ends with."""
    assert result.exception is not None
    return result.exception


def test_text(check: Check) -> None:
    """Aligned lines with the place of each value, the fix below, and a sum; 1 where something is denied."""
    result = check("bad.yaml", "good.yaml")

    shown = [line for line in result.output.splitlines() if "not evaluated" not in line]
    assert " note " not in result.output
    assert "bad.yaml:2  deny   KFK-SIZ-001  shop.bad: 30 partitions are above the maximum of 10" in shown
    assert "bad.yaml:4  deny   KFK-RET-001  shop.bad: retention.ms 10 is below the minimum of 1000" in shown
    assert "fix: use 10 partitions" in result.output
    assert "2 declarations decided, 1 denied" == shown[-1]
    assert 1 == result.return_value
    assert 0 == check("good.yaml").return_value


def test_what_is_skipped_is_named(check: Check, tmp_path: Path) -> None:
    """With its place and kind; of many the first five, and how many more there are."""
    other = "apiVersion: v1\nkind: {}\nmetadata: {{name: a}}\n"

    def lines(*kinds: str) -> list[str]:
        (tmp_path / "many.yaml").write_text("---\n".join(map(other.format, kinds)), encoding="utf-8")
        result = check("--allow-empty", str(tmp_path / "many.yaml"))
        assert 0 == result.return_value
        assert f"{len(kinds)} document" in result.output.splitlines()[-1]
        return [line.partition("many.yaml:")[2] or line for line in result.output.splitlines()[:-1]]

    assert ["1  skip   v1 ConfigMap: there are no rules about it"] == lines("ConfigMap")
    six = lines("Secret", "Pod", "Pod", "Pod", "Pod", "Job", "Job")
    assert [f"{line:<4}skip   v1 {kind}: there are no rules about it" for line, kind in
            ((1, "Secret"), (5, "Pod"), (9, "Pod"), (13, "Pod"), (17, "Pod"))] == six[:5]  # fmt: skip
    assert ["… and 2 more: --output json names them all"] == six[5:]


def test_nothing_is_known_of_the_cluster(check: Check) -> None:
    """Rules that look at the cluster are not evaluated, and are named."""
    document = json.loads(check("good.yaml", "--output", "json").output)
    (declaration,) = document["declarations"]
    left_out = {row["rule"]: row["unknown"] for row in declaration["decision"]["notEvaluated"]}

    assert ["/clusterState/totals"] == left_out["KFK-SIZ-002"]
    assert not {"KFK-SIZ-001", "KFK-RET-001", "KFK-NAM-001"} & left_out.keys()
    assert "KFK-SIZ-002" in check("good.yaml").output


def test_one_that_cannot_be_decided(check: Check) -> None:
    """The others are decided; the status is 2, whatever else is denied."""
    Path("broken.yaml").write_text(f"{BAD}---\na: [\n")
    result = check("good.yaml", "broken.yaml")

    assert "broken.yaml:7  error  warden       not YAML" in result.output
    assert "2 declarations decided, 1 denied, 1 error" == result.output.splitlines()[-1]
    assert 2 == result.return_value


def test_twice(check: Check) -> None:
    """A topic that is declared twice on a cluster is an error that names both places."""
    Path("again.yaml").write_text(GOOD)
    result = check("good.yaml", "again.yaml")

    assert "again.yaml:1  error  warden  shop.good is declared in good.yaml:1 too" in " ".join(
        line for line in result.output.splitlines() if "too:" in line
    ).replace("  error  warden     ", "  error  warden")
    assert 2 == result.return_value


def test_standard_input(check: Check) -> None:
    """What a template makes is read from standard input."""
    assert 1 == check("-", input=BAD).return_value


def test_against_a_state(check: Check) -> None:
    """A topic that is there is altered; every override that a file leaves out goes, and is decided as going."""
    configs = {"retention.ms": "5000", "min.insync.replicas": "2"}
    known = state(shop_good={"numPartitions": 2, "replicationFactor": 1, "configs": configs})
    Path("state.json").write_text(json.dumps(known))
    result = check("good.yaml", "--state", "state.json", "--output", "json")
    (declaration,) = json.loads(result.output)["declarations"]

    assert "AlterTopic" == declaration["operation"]
    assert "KFK-CHG-004" in {violation["rule"] for violation in declaration["decision"]["violations"]}
    assert 0 == result.return_value


def test_a_smaller_number_of_partitions(check: Check) -> None:
    """Kafka's own refusal is the message, at the line of the number."""
    known = state(shop_good={"numPartitions": 9, "replicationFactor": 1, "configs": {"retention.ms": "5000"}})
    Path("state.json").write_text(json.dumps(known))
    result = check("good.yaml", "--state", "state.json")

    assert "good.yaml:1" in result.output or "good.yaml:2" in result.output
    assert "currently has 9 partition(s); 3 would not be an increase" in result.output
    assert 1 == result.return_value


def test_another_number_of_replicas(check: Check) -> None:
    """What a file wants of a topic that is there is decided by the rules, at the line of the number."""
    Path("fewer.yaml").write_text("topic: shop.good\nnumPartitions: 3\nreplicationFactor: 1\nconfigs: {}\n")
    known = {"numPartitions": 3, "replicationFactor": 2, "replicasAssignments": {"0": [1, 2]}, "configs": {}}
    Path("state.json").write_text(json.dumps(state(shop_good=known)))
    result = check("fewer.yaml", "--state", "state.json", "--dryrun")

    assert "fewer.yaml:3" in result.output
    assert "KFK-CHG-003  shop.good: replicationFactor goes from 2 to 1, which lowers durability" in result.output
    assert "1 declaration decided" in result.output


def test_against_a_snapshot(check: Check, tmp_path: Path) -> None:
    """The only cluster of a snapshot is the one; what is as declared is unchanged; another cluster is an error."""
    same = {"numPartitions": 3, "replicationFactor": 1, "configs": {"retention.ms": "5000"}}
    write_snapshot(tmp_path / "s", "prod", state(shop_good=same), day=date(2026, 11, 21), format="jsonl")
    result = check("good.yaml", "--snapshot", "s")

    assert ("0 declarations decided, 0 denied, 1 unchanged", 0) == (result.output.strip(), result.return_value)
    with pytest.raises(ConfigurationError, match=r"good.yaml:1: the snapshot has no cluster dev, it has prod"):
        raise _error(check("good.yaml", "--snapshot", "s", "--cluster", "dev"))


def test_what_was_there_before(check: Check) -> None:
    """It only warns, and says so: 30 partitions, of which 10 are the most."""
    Path("many.yaml").write_text("topic: shop.many\nnumPartitions: 30\nconfigs: {retention.ms: 6000}\n")
    known = state(shop_many={"numPartitions": 30, "replicationFactor": 1, "configs": {"retention.ms": "5000"}})
    Path("state.json").write_text(json.dumps(known))
    result = check("many.yaml", "--state", "state.json")

    assert "30 partitions are above the maximum of 10 (so before the change)" in result.output
    assert 0 == result.return_value


@pytest.mark.kafka
def test_against_a_live_cluster(check: Check, broker: LocalBroker) -> None:
    """A broker tells what is there."""
    result = check("good.yaml", "--bootstrap-server", broker.bootstrap_servers, "--output", "json")
    (declaration,) = json.loads(result.output[result.output.index("{") :])["declarations"]

    assert "CreateTopic" == declaration["operation"]
    assert "notEvaluated" not in declaration["decision"]


def test_a_plan(check: Check) -> None:
    """Before and after are decided without a cluster; what is known only after apply warns, or denies on request."""
    unknown = {"config": {"retention.ms": True}}
    after = {**TOPIC, "config": {}}
    Path("plan.json").write_text(
        plan(
            resource(["update"], TOPIC, {**TOPIC, "partitions": 40}),
            resource(["create"], after={**after, "name": "shop.new"}, unknown=unknown),
            resource(["delete"], {**TOPIC, "name": "shop.old"}),
        )
    )
    result = check("plan.json", "--output", "json")
    changed, new, old = json.loads(result.output)["declarations"]

    assert ["AlterTopic", "CreateTopic", "DeleteTopic"] == [one["operation"] for one in (changed, new, old)]
    assert ["KFK-SIZ-001: 40 partitions are above the maximum of 10"] == changed["decision"]["errors"]
    assert [] == new["decision"]["errors"]
    said = "KFK-RET-001  shop.new: not evaluated, known only after apply: configs/retention.ms"
    assert f"warn   {said}" in check("plan.json").output
    assert f"deny   {said}" in check("plan.json", "--unknown", "deny").output

    Path("plan.json").write_text(plan(resource(["create"], after={**after, "name": "shop.new"}, unknown=unknown)))
    assert 0 == check("plan.json").return_value
    assert 1 == check("plan.json", "--unknown", "deny").return_value


def test_programs(check: Check) -> None:
    """Each format is what its reader takes, with file and line."""
    Path("broken.yaml").write_text("a: [")
    files = ["bad.yaml", "broken.yaml"]

    log = json.loads(check(*files, "--output", "sarif").output)["runs"][0]
    places = [
        (result["ruleId"], result["level"], result["locations"][0]["physicalLocation"]) for result in log["results"]
    ]
    size = ("KFK-SIZ-001", "error", {"artifactLocation": {"uri": "bad.yaml"}, "region": {"startLine": 2}})
    assert size in places
    assert [{"executionSuccessful": False}] == log["invocations"]

    suite = ET.fromstring(check(*files, "--output", "junit").output)
    assert ("2", "1", "1") == tuple(suite.attrib[name] for name in ("tests", "failures", "errors"))

    lines = check(*files, "--output", "github").output.splitlines()
    assert any(line.startswith("::error file=bad.yaml,line=2,title=KFK-SIZ-001::shop.bad: 30 parti") for line in lines)

    table = check(*files, "--output", "markdown").output
    assert "**warden check**: 1 declaration decided, 1 denied, 1 error" == table.splitlines()[0]
    assert "| error | bad.yaml:2 | KFK-SIZ-001 | shop.bad: 30 partitions are above the maximum of 10" in table


STRIMZI = (
    "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: shop.none}\nspec: {partitions: 0, replicas: 1}"
)
ANY = """\
meta: {name: x}
spec: {acls: [{resource: {type: topic, name: t, principal: "User:a"}, operations: [any]}]}
"""


@pytest.mark.parametrize(("text", "said"), [(STRIMZI, "non-positive"), (ANY, "ANY")])
def test_what_kafka_refuses(check: Check, text: str, said: str) -> None:
    """The policy says it, in Kafka's words: a reader takes the value as it stands."""
    Path("refused.yaml").write_text(text)
    result = check("refused.yaml")

    assert (1, True) == (result.return_value, said in result.output), result.output


def test_names_of_strangers_command_nobody(check: Check) -> None:
    """A file's name or a topic's cannot begin a command of GitHub's, nor a cell or a link of a table."""
    Path("a,b:c\n::error::x.yaml").write_text(BAD)
    Path("md.yaml").write_text(BAD.replace("shop.bad", '"a|[x](y)<b>"'))

    quoted = r'"a\n::error file=README.md,line=1::pwned\r::x\x85\u2028\e[2J"'
    Path("text.yaml").write_text(f"{BAD.replace('shop.bad', quoted)}---\n{STRIMZI.replace('shop.none', quoted)}")
    shown = check("a,b:c\n::error::x.yaml", "text.yaml", "--dryrun").output
    assert len(shown.splitlines()) == len(shown.removesuffix("\n").split("\n"))
    assert [] == [line for line in shown.splitlines() if line.lstrip().startswith("::") or "\x1b" in line]
    lines = check("a,b:c\n::error::x.yaml", "--output", "github").output.splitlines()
    assert [] == [line for line in lines if line.startswith("::error::")]
    assert r"a\|\[x\](y)\<b\>" in check("md.yaml", "--output", "markdown").output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--state", "a", "--snapshot", "b"], "are three ways: give one"),
        (["--command-config", "a"], "give --bootstrap-server too"),
        (["-", "-"], "standard input is named twice: write - once"),
    ],
)
def test_what_does_not_go_together(check: Check, arguments: list[str], said: str) -> None:
    """Options that contradict each other end it before anything is decided."""
    with pytest.raises(ConfigurationError, match=said):
        raise _error(check("good.yaml", *arguments))


def test_colours(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a terminal has colours, and only without NO_COLOR."""
    red = "\x1b[31m\x1b[1mdeny \x1b[0m"

    assert red in check("bad.yaml", color=True).output
    assert "\x1b" not in check("bad.yaml").output
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in check("bad.yaml", color=True).output
