"""`warden check --diff` of what is not read file by file: HCL with the files beside it, and charts."""

import json
import os
from pathlib import Path

import pytest

from tests.analyse.check.conftest import Check, Commit
from tests.analyse.check.test_command import state
from tests.analyse.check.test_diff import declared, topic

pytestmark = pytest.mark.opa

_HCL = """\
resource "kafka_topic" "a" {
  name               = "shop.a"
  partitions         = var.partitions
  replication_factor = 1
  config             = { "retention.ms" = 5000 }
}
"""


def test_hcl(commit: Commit, check_diff: Check) -> None:
    """A resource says something else where a file beside it does; one that is gone is deleted, one that moves stays."""
    commit(suffix=".tf", main=_HCL, variables='variable "partitions" { default = 3 }\n', other__x="# kafka\n")
    commit(suffix=".tf", variables='variable "partitions" { default = 4 }\n')
    assert [("AlterTopic", "shop.a", "topics/main.tf", 1)] == declared(check_diff("topics", "--output", "json"))
    commit(suffix=".tf", main=None, moved=_HCL.replace('" "a"', '" "b"'))
    assert [] == declared(check_diff("topics/moved.tf", "topics/main.tf", "--output", "json"))
    commit(suffix=".tf", other__y="# kafka\n")
    assert [] == declared(check_diff("topics", "--output", "json", "--allow-empty"))
    commit(suffix=".tf", moved="")
    assert [("DeleteTopic", "shop.a", "topics/moved.tf", 1)] == declared(check_diff("topics", "--output", "json"))
    other = {"numPartitions": 1, "replicationFactor": 1, "configs": {}}
    Path("state.json").write_text(json.dumps(state(other=other)))
    assert [] == declared(check_diff("topics", "--output", "json", "--state", "state.json"))


def test_hcl_at_the_root(commit: Commit, check_diff: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files beside are found where the working directory is that of the configuration."""
    commit(suffix=".tf", main=_HCL, variables='variable "partitions" { default = 3 }\n')
    commit(suffix=".tf", variables='variable "partitions" { default = 4 }\n')
    monkeypatch.chdir("topics")

    assert [("AlterTopic", "shop.a", "main.tf", 1)] == declared(check_diff(".", "--output", "json"))


@pytest.fixture
def helm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script that stands in for Helm: it prints the chart's templates one after the other."""
    programs = tmp_path.with_name(f"{tmp_path.name}-bin")
    programs.mkdir()
    (programs / "helm").write_text(
        '#!/bin/sh\ntest -e "$2/broken" && { echo Error: broken >&2; exit 1; }\nfor file in "$2"/templates/*; do\n'
        'echo \'---\'; echo "# Source: c/templates/$(basename "$file")"; cat "$file"\ndone\n'
    )
    (programs / "helm").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs), prepend=os.pathsep)


@pytest.mark.usefixtures("helm")
def test_a_chart(commit: Commit, check_diff: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is rendered as it is in each of the two commits, and files of the working tree are not looked at."""
    both = {"c__templates__a": topic("shop.a"), "c__templates__b": topic("shop.b"), "c__Chart": "name: c\n"}
    commit(**both, other=topic("shop.c"))
    commit(c__templates__a=topic("shop.a", n=4), c__templates__b=None, c__templates__d=topic("shop.d"))
    Path("topics", "c", "templates", "d.yaml").write_text("broken: [")

    wanted = [
        ("AlterTopic", "shop.a", "c/templates/a.yaml", 1),
        ("DeleteTopic", "shop.b", "c/templates/b.yaml", 1),
        ("CreateTopic", "shop.d", "c/templates/d.yaml", 1),
    ]
    assert [(*one[:2], f"topics/{one[2]}", one[3]) for one in wanted] == declared(
        check_diff("topics", "--output", "json")
    )
    assert [("CreateTopic", "shop.d", "topics/c/templates/d.yaml", 1)] == declared(
        check_diff("topics/c/templates/d.yaml", "--output", "json")
    )
    monkeypatch.chdir("topics")
    assert wanted == declared(check_diff("c", "--output", "json"))


@pytest.mark.usefixtures("helm")
def test_a_chart_that_breaks(commit: Commit, check_diff: Check) -> None:
    """An error, with a name that is the chart's own."""
    commit(c__templates__a=topic("shop.a"), c__Chart="name: c\n")
    commit(suffix="", c__broken="")
    result = check_diff()

    assert (2, True) == (
        result.return_value,
        "topics/c/Chart.yaml:1  error  warden  helm template: Error" in result.output,
    )


_UNKNOWN = _HCL.replace("var.partitions", "3").replace("5000", "var.retention")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (_UNKNOWN.replace("var.retention", "5000"), _UNKNOWN),
        (_UNKNOWN.replace('{ "retention.ms" = var.retention }', "{}"), _UNKNOWN),
        (_UNKNOWN.replace("var.retention", "var.other"), _UNKNOWN),
        (_HCL.replace("var.partitions", "var.other"), _HCL),
    ],
)
def test_what_is_not_known_may_change(commit: Commit, check_diff: Check, before: str, after: str) -> None:
    """It is decided as the whole is: not evaluated, which denies where that is wanted, with a cluster and without."""
    known = {"numPartitions": 3, "replicationFactor": 1, "configs": {"retention.ms": "5000"}}
    commit(suffix=".tf", main=before)
    commit(suffix=".tf", main=after)
    Path("state.json").write_text(json.dumps(state(shop_a=known)))

    for more in ([], ["--state", "state.json"]):
        assert [("AlterTopic", "shop.a", "topics/main.tf", 1)] == declared(
            check_diff("topics", "--output", "json", *more)
        )
        result = check_diff("topics", "--unknown", "deny", *more)
        assert (1, True) == (result.return_value, "not evaluated, known only to a plan" in result.output)


def test_what_a_resource_has_no_place_for_does_not_change(commit: Commit, check_diff: Check) -> None:
    """The replication factor of Confluent Cloud is nobody's to declare."""
    text = 'resource "confluent_kafka_topic" "a" {{\n  topic_name = "shop.{}"\n  partitions_count = 3\n}}\n'
    commit(suffix=".tf", main=text.format("a"))
    commit(suffix=".tf", main=text.format("a") + text.format("b").replace('"a" {', '"b" {'))
    Path("state.json").write_text(json.dumps(state(shop_a={"numPartitions": 3, "configs": {}})))

    for more in ([], ["--state", "state.json"]):
        assert [("CreateTopic", "shop.b", "topics/main.tf", 5)] == declared(
            check_diff("topics", "--output", "json", *more)
        )


def test_a_variable_of_a_broker(commit: Commit, check_diff: Check) -> None:
    """What a broker's file leaves to its machine is decided with the file."""
    text = "node.id=1\nprocess.roles=broker\nlog.dirs=/a\n"
    commit(suffix=".properties", server=text)
    commit(suffix=".properties", server=f"{text}log.retention.ms=${{env:X}}\n")

    assert [("StartBroker", "topics/server.properties")] == [
        (operation, file) for operation, _, file, _ in declared(check_diff("topics", "--output", "json"))
    ]
