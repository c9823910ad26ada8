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
