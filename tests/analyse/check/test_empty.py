"""A gate that looked at nothing says so, and so does one that is given a name which nobody knows."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.analyse.check.conftest import BAD, GOOD, Check, Commit
from tests.analyse.check.readers.terraform.test_terraform import TOPIC, plan, resource

pytestmark = pytest.mark.opa

_NOTHING = "nothing was found to decide here: name files that declare Kafka's resources, or give --allow-empty"
_UNMANAGED = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: a, annotations: {strimzi.io/managed: 'false'}}
"""
_USER = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaUser\nmetadata: {name: a}\nspec: {authentication: {type: tls}}\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "---\n---\n",
        "topics: {}\n",
        "kind: List\nitems: []\n",
        "apiVersion: v1\nkind: ConfigMap\n",
        "- a\n",
        plan(),
        plan({**resource(["create"], after=TOPIC), "mode": "data"}),
    ],
    ids=["empty", "comment", "documents", "topics", "list", "another object", "no mapping", "plan", "data of a plan"],
)
def test_a_file_with_nothing(check: Check, text: str) -> None:
    """The status is 2 and a sentence names the path, unless somebody allows it; beside others too."""
    Path("nothing.yaml").write_text(text)
    result, beside = check("nothing.yaml"), check("good.yaml", "nothing.yaml")

    assert (2, 2) == (result.return_value, beside.return_value)
    assert f"nothing.yaml:1  error  warden  {_NOTHING}" in result.output
    assert _NOTHING in beside.output
    assert 0 == check("nothing.yaml", "--allow-empty").return_value


def test_a_directory_with_nothing(check: Check) -> None:
    """Without any file, and without one that is read."""
    Path("empty").mkdir()
    assert (2, True) == ((result := check("empty")).return_value, f"empty  error  warden  {_NOTHING}" in result.output)
    Path("empty", "README.md").write_text(GOOD)
    assert (2, True) == ((result := check("empty")).return_value, _NOTHING in result.output)
    Path("empty", "a.yaml").write_text(GOOD)
    assert 0 == check("empty").return_value


def test_what_is_not_there(check: Check) -> None:
    """It has no line; only GitLab asks for one."""
    said = "cannot be read (No such file or directory): name a file with declarations"
    shown = {
        "text": f"none  error  warden  {said}",
        "json": '"line": null',
        "sarif": '{"artifactLocation": {"uri": "none"}}',
        "junit": '<testcase classname="none" name="none" file="none">',
        "github": f"::error file=none,title=warden::{said}",
        "gitlab": '"begin": 1',
        "markdown": "| error | none | warden |",
    }

    for form, part in shown.items():
        result = check("none", "--output", form)
        assert (2, True) == (result.return_value, part in result.output), result.output


@pytest.mark.parametrize(
    "text",
    [
        _USER,
        plan(resource(["no-op"], TOPIC, TOPIC)),
        plan(resource(["forget"], TOPIC)),
        _UNMANAGED,
    ],
    ids=["user without ACLs", "plan that changes nothing", "forgotten", "unmanaged"],
)
def test_what_is_read_and_has_nothing_to_decide(check: Check, text: str) -> None:
    """It was seen, so that it passes."""
    Path("seen.yaml").write_text(text)
    assert 0 == check("seen.yaml").return_value


def test_a_plan_without_modes(check: Check) -> None:
    """As older versions of Terraform wrote them: the resources are managed ones."""
    change = resource(["create"], after={**TOPIC, "name": "shop.bad", "partitions": 30})
    del change["mode"]
    Path("plan.json").write_text(plan(change))
    result = check("plan.json")

    assert (1, True) == (result.return_value, "KFK-SIZ-001" in result.output)


def test_quotas_of_ns4kafka(check: Check) -> None:
    """A key that it has not is an error; its own quotas, and Kubernetes' kind of the same name, are passed over."""
    head = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: a, namespace: b}\nspec:\n  "
    Path("quota.yaml").write_text(f"{head}producer_byte_rate: 1000\n")
    result = check("quota.yaml")
    said = "quota.yaml:5  error  warden  unknown quota producer_byte_rate: write user/producer_byte_rate, "

    assert (2, True) == (result.return_value, said in result.output)
    Path("quota.yaml").write_text(f"{head}count/topics: 10\n")
    assert 0 == check("quota.yaml").return_value
    Path("quota.yaml").write_text(f"{head}hard: {{pods: '4'}}\n")
    assert "v1 ResourceQuota: there are no rules about it" in check("quota.yaml", "--allow-empty").output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--enforcement-point", "gatway"], "(did you mean gateway?)"),
        (["--enforcement-point", "nosuch"], "enforcement point nosuch: no settings name it"),
    ],
)
def test_an_enforcement_point_that_nobody_knows(check: Check, arguments: list[Any], said: str) -> None:
    """Its settings would be left out: the status is 2, with the nearest name."""
    result = check("good.yaml", *arguments)

    assert (2, True) == (result.return_value, said in result.stderr)
    assert 0 == check("good.yaml", "--enforcement-point", "start").return_value


def test_a_cluster_that_an_option_replaces_may_be_a_template(check: Check, tmp_path: Path) -> None:
    """Of what nobody has rendered an error names the place and both ways out; with --cluster it is not needed."""
    labels = "labels: {strimzi.io/cluster: '${name}'}"
    text = f"kind: KafkaTopic\nmetadata:\n  name: shop.good\n  {labels}\nspec: {{partitions: 3}}\n"
    (tmp_path / "f.yaml").write_text(f"apiVersion: kafka.strimzi.io/v1beta2\n{text}", encoding="utf-8")
    unnamed, named = check("f.yaml"), check("f.yaml", "--cluster", "dev")

    said = "its cluster ${name} is a template (${): render it first, or give --cluster"
    assert (2, True) == (unnamed.return_value, said in unnamed.output)
    assert "0 declarations decided, 0 denied, 1 error" in unnamed.output
    assert (0, True) == (named.return_value, "1 declaration decided, 0 denied" in named.output)


def test_hidden_files_are_counted(check: Check, commit: Commit, check_diff: Check) -> None:
    """A gate does not read what begins with a dot, and says of how much; of a change, of what changes."""
    for name in (
        "topics/.b.yaml",
        "topics/.d/e/c.YML",
        "topics/.d/notes.txt",
        "topics/.git/HEAD.json",
        "topics/b.YAML",
    ):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(BAD)
    Path("topics/.link.json").symlink_to("b.YAML")
    result = check("topics")

    assert (1, "1 declaration decided, 1 denied, 3 hidden files skipped") == (
        result.return_value,
        result.output.splitlines()[-1],
    )
    shutil.rmtree("topics/.git")
    commit(a=GOOD)
    Path("topics/.d/e/c.YML").write_text(GOOD)
    Path("topics/d.YAML").write_text(BAD.replace("bad", "worse"))
    commit()
    result = check_diff("topics", "--output", "text")

    assert (1, "1 declaration decided, 1 denied, 1 hidden file skipped") == (
        result.return_value,
        result.output.splitlines()[-1],
    )
    assert "topics/d.YAML:2  deny" in result.output
