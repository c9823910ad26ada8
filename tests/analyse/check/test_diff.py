"""`warden check --diff`: what changes between two commits, and nothing else."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.analyse.check.conftest import Check, Commit
from tests.analyse.check.readers.test_ns4kafka import ACCESS, NAMESPACE
from tests.analyse.check.test_command import _error, state
from warden.base.errors import ConfigurationError

pytestmark = pytest.mark.opa

TOPIC = "topic: {name}\ncluster: c\nnumPartitions: {n}\nconfigs: {{retention.ms: {ms}}}\n"
STRIMZI = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata:
  name: {name}
  labels: {{strimzi.io/cluster: {cluster}}}
  annotations: {{strimzi.io/managed: "{managed}"}}
spec: {{partitions: 3, replicas: 1, config: {{retention.ms: 5000}}}}
"""
ACL = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaUser
metadata: {name: shop, labels: {strimzi.io/cluster: c}}
spec:
  authorization:
    acls:
      - {resource: {type: topic, name: shop.a}, operations: [Read, Describe]}
"""


def topic(name: str, n: int = 3, ms: int = 5000) -> str:
    """Warden's own form."""
    return TOPIC.format(name=name, n=n, ms=ms)


def strimzi(name: str, cluster: str = "c", managed: str = "true") -> str:
    """A KafkaTopic."""
    return STRIMZI.format(name=name, cluster=cluster, managed=managed)


@pytest.fixture
def check(check_diff: Check) -> Check:
    """Runs `warden check --diff` on the last commit, in JSON."""
    return check_diff


def declared(result: Result) -> list[tuple[str, str, str, int]]:
    """Operation, name, file and line of what was decided."""
    assert result.exception is None, result.exception
    document = json.loads(result.output)
    return [(one["operation"], one["name"], one["file"], one["line"]) for one in document["declarations"]]


def test_new_altered_gone_and_the_same(check: Check, commit: Commit) -> None:
    """Each is what it is; what is not touched is not decided; a gone file has the line it had."""
    commit(a=topic("shop.a"), b=topic("shop.b"), c=topic("shop.c"), d=f"---\n{topic('shop.d')}")
    commit(b=topic("shop.b", n=30), c=None, d="", e=topic("shop.e"))
    result = check("topics", "--output", "json")

    assert [
        ("AlterTopic", "shop.b", "topics/b.yaml", 1),
        ("DeleteTopic", "shop.c", "topics/c.yaml", 1),
        ("DeleteTopic", "shop.d", "topics/d.yaml", 1),
        ("CreateTopic", "shop.e", "topics/e.yaml", 1),
    ] == declared(result)
    decisions = {one["name"]: one["decision"] for one in json.loads(result.output)["declarations"]}
    assert ["KFK-SIZ-001"] == [
        violation["rule"] for violation in decisions["shop.b"]["violations"] if violation["effect"] == "deny"
    ]
    assert 1 == result.return_value


def test_a_change_is_from_the_base(check: Check, commit: Commit) -> None:
    """Rules about changes have before and after without any cluster; Kafka refuses fewer partitions."""
    commit(a=topic("shop.a"), b=topic("shop.b"))
    commit(a=topic("shop.a", ms=6000), b=topic("shop.b", n=2))
    result = check("topics", "--output", "json")
    one, two = (each["decision"] for each in json.loads(result.output)["declarations"])

    assert one["allowed"]
    assert "currently has 3 partition(s); 2 would not be an increase" in " ".join(two["errors"])


def test_a_moved_file_changes_nothing(check: Check, commit: Commit) -> None:
    """A declaration is known by its name, not by its file."""
    commit(a=topic("shop.a"), b__c=strimzi("shop.b"))
    commit(a=None, x=topic("shop.a"), b__c=None, y__z=strimzi("shop.b"))

    assert [] == declared(check("topics", "--output", "json"))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (strimzi("a"), None, ["DeleteTopic"]),
        (strimzi("a"), strimzi("a", managed="false"), []),
        (strimzi("a", managed="false"), None, []),
        (strimzi("a"), f"{strimzi('a', 'other', 'false')}", ["DeleteTopic"]),
        (ACL, ACL.replace(", Describe", ""), ["DeleteAcl"]),
        (ACL, None, ["DeleteAcl", "DeleteAcl"]),
        (ACL + "  quotas: {producerByteRate: 1}\n", ACL, ["AlterQuota"]),
        ("meta: {name: a}\nspec: {partitions: 1, replicationFactor: 1}\n", None, []),
        ("context: a\nprojects: [{name: b, topics: [{name: c}]}]\n", None, []),
    ],
)
def test_what_is_gone(check: Check, commit: Commit, before: str, after: str | None, expected: list[str]) -> None:
    """What goes is what the tool takes away: not what it leaves, nor what nobody manages any more."""
    commit(a=before)
    commit(a=after)

    assert expected == [operation for operation, *_ in declared(check("topics", "--output", "json"))]


def test_deletions_are_counted(check: Check, commit: Commit) -> None:
    """Rules about many deletions see how many there are."""
    commit(a=topic("shop.a"), b=topic("shop.b"))
    commit(a=None, b=None)
    result = check("topics", "--output", "json")

    assert ["DeleteTopic"] * 2 == [operation for operation, *_ in declared(result)]


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        (3, 2, "replicationFactor goes from 3 to 2, which lowers durability"),
        (-1, 2, "what the replication factor was is not known: rules about its change take it for an increase"),
    ],
)
def test_another_number_of_replicas(check: Check, commit: Commit, was: int, becomes: int, said: str) -> None:
    """Held against what the base says; where it says nothing, that is said."""
    commit(a=topic("shop.a") + f"replicationFactor: {was}\n")
    commit(a=topic("shop.a") + f"replicationFactor: {becomes}\n")
    assert f"shop.a: {said}" in check("topics", "--dryrun").output


def test_against_a_cluster(check: Check, commit: Commit) -> None:
    """A cluster knows better than the base: what is gone there already is unchanged."""
    commit(a=topic("shop.a"), b=topic("shop.b"))
    commit(a=None, b=None)
    known: dict[str, Any] = {"numPartitions": 3, "replicationFactor": 1, "configs": {"retention.ms": "5000"}}
    Path("state.json").write_text(json.dumps(state(shop_b=known)))
    result = check("topics", "--state", "state.json", "--output", "json")

    assert [("DeleteTopic", "shop.b")] == [one[:2] for one in declared(result)]
    assert 1 == json.loads(result.output)["unchanged"]


def test_twice(check: Check, commit: Commit) -> None:
    """What an unchanged file declares already is an error that names it."""
    commit(a=topic("shop.a"))
    commit(b=topic("shop.a"))
    result = check("topics")

    assert "shop.a is declared in topics/a.yaml:1 too: keep one of the two" in result.output
    assert 2 == result.return_value


def test_errors_are_those_of_the_change(check: Check, commit: Commit) -> None:
    """A file that was broken and is not touched is passed over; one that is mended warns; one that breaks is wrong."""
    commit(a="a: [", b="b: [", c=topic("shop.c"))
    commit(b=topic("shop.b"), c="c: [")
    result = check("topics")

    assert 2 == result.return_value
    assert "topics/a.yaml" not in result.output
    assert "topics/b.yaml:1  warn   warden" in result.output
    assert "topics/c.yaml:2  error  warden" in result.output
    assert "1 declaration decided, 0 denied, 1 error" == result.output.splitlines()[-1]


def test_three_dots_and_a_directory_below(check: Check, commit: Commit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three dots mean where the head left the base; paths are those of the working directory; dots hide files."""
    commit(a=topic("shop.a"))
    subprocess.run(["git", "checkout", "--quiet", "-b", "work"], check=True)
    commit(sub__b=topic("shop.b"), **{".hidden__c": topic("shop.c")})
    subprocess.run(["git", "checkout", "--quiet", "main"], check=True)
    commit(a=topic("shop.a", n=4))
    monkeypatch.chdir("topics")
    created = ("CreateTopic", "shop.b", "sub/b.yaml", 1)

    assert [created] == declared(check(".", "--output", "json", diff="main...work"))
    assert [("AlterTopic", "shop.a"), created[:2]] == [
        one[:2] for one in declared(check(".", "--output", "json", diff="main..work"))
    ]
    assert [created] == declared(check(str(Path("sub").absolute()), "--output", "json", diff="main..work"))


def test_a_link_is_an_error(check: Check, commit: Commit) -> None:
    """A commit holds a link's text, not the file."""
    commit(a=topic("shop.a"))
    Path("topics/b.yaml").symlink_to("a.yaml")
    commit()

    assert "topics/b.yaml:1  error  warden  this is a link, which is not followed" in check("topics").output


@pytest.mark.parametrize(
    ("diff", "path", "said"),
    [
        ("HEAD", "topics", "write two commits"),
        ("none..HEAD", "topics", "rev-parse"),
        ("--all..HEAD", "topics", "rev-parse"),
        ("HEAD..HEAD", "nowhere", "nowhere has no files in either"),
        ("HEAD..HEAD", "/", "has no files in either|outside repository"),
    ],
)
def test_what_is_no_diff(check: Check, commit: Commit, diff: str, path: str, said: str) -> None:
    """Commits and paths that are not there end it before anything is decided."""
    commit(a=topic("shop.a"))
    with pytest.raises(ConfigurationError, match=said):
        raise _error(check(path, diff=diff))


def test_one_topic_twice(check: Check, commit: Commit) -> None:
    """It is an error also where the base has it once, in the same words; what was there twice before is left alone."""
    commit(a=topic("shop.a"), c=topic("shop.c"), d=topic("shop.c"))
    commit(a=f"# a\n{topic('shop.a')}", b=topic("shop.a"))
    result = check("topics")

    assert "topics/b.yaml:1  error  warden  shop.a is declared in topics/a.yaml:2 too: keep one of the two" in " ".join(
        result.output.split("\n")
    )
    assert (2, False) == (result.return_value, "shop.c" in result.output)


def test_no_git(check: Check, commit: Commit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without git says so."""
    commit(a=topic("shop.a"))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConfigurationError, match="git cannot be run"):
        raise _error(check("topics"))


def test_nothing_on_both_sides(check: Check, commit: Commit) -> None:
    """What declares nothing before and after is nothing to have looked at; what stays as it is was seen."""
    other = "apiVersion: v1\nkind: {}\n"
    commit(notes=other.format("ConfigMap"))
    commit(notes=other.format("Secret"))
    assert 2 == check().return_value
    commit(a=topic("shop.a"))
    commit(notes=other.format("ConfigMap"))
    assert 0 == check().return_value


def test_a_user_in_a_file_that_does_not_change(check: Check, commit: Commit) -> None:
    """Whom ns4kafka grants something stands in a Namespace, which may lie elsewhere."""
    commit(namespace=NAMESPACE, access=ACCESS)
    commit(access=ACCESS.replace("abc.", "shop."))
    names = [name for _, name, _, _ in declared(check("topics", "--output", "json"))]

    assert [f"User:user1 {operation} TOPIC shop." for operation in ("READ", "WRITE", "DESCRIBE_CONFIGS")] == names
