"""`warden check --fix`: only the values that rules name change, and what comes out is decided."""

from collections.abc import Iterator, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from tests.analyse.check.conftest import BAD, Check
from tests.analyse.check.test_command import _error
from warden.analyse.check.decisions import DecidedDeclaration
from warden.analyse.check.files import read_paths
from warden.analyse.check.fix.choose_patches import plan_writes
from warden.analyse.check.fix.patch_files import Fixes, fix_files
from warden.analyse.check.fix.spans import Unfixable, apply_edits, edit_value, list_shared_nodes
from warden.analyse.check.model import Declaration
from warden.base.errors import ConfigurationError, InputError
from warden.commands.check import command
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

STRIMZI = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: a}
spec:
"""


def fix(decided: list[DecidedDeclaration]) -> Fixes:
    """Writes what the violations of decisions propose."""
    return fix_files(plan_writes(decided)[0])


def changed(text: str, path: Sequence[str], value: str | int | None) -> str:
    """The text with a value at a path."""
    node = yaml.compose(text, yaml.SafeLoader)
    return apply_edits(text, [edit_value(text, node, path, value, list_shared_nodes(node))])


@pytest.mark.parametrize(
    ("text", "path", "value", "expected"),
    [
        ("a: 30  # why\nb: 1\n", ["a"], 10, "a: 10  # why\nb: 1\n"),
        ("a: {b: '30'}", ["a", "b"], "10", "a: {b: '10'}"),
        ("a:\r\n  b: 1\r\n", ["a", "b"], "2", "a:\r\n  b: 2\r\n"),
        ('{"a": {"b": "x"}}', ["a", "b"], "y", '{"a": {"b": "y"}}'),
        ('{"a": {"b":true}}', ["a", "b"], "y", '{"a": {"b":"y"}}'),
        ("a: x", ["a"], "it's: new", 'a: "it\'s: new"'),
        ("a: 'x'", ["a"], "it's", "a: 'it''s'"),
        ("a: x", ["a"], "on", 'a: "on"'),
        ("a:\n  b: 1  # b\n\n# end\n", ["a", "c"], "2", "a:\n  b: 1  # b\n  c: 2\n\n# end\n"),
        ("a:\n  b: '1'", ["a", "c"], "2", "a:\n  b: '1'\n  c: '2'"),
        ("a:\n  b: |\n    x\nd: 1\n", ["a", "c"], "2", 'a:\n  c: "2"\n  b: |\n    x\nd: 1\n'),
        ("a:\r\n- b: 1\r\n  d: {}\r\n", ["a"], None, None),
        ("a: {b: 1}\n", ["a", "c"], "2", "a: {b: 1, c: 2}\n"),
        ("a: {}\n", ["a", "c"], "2", 'a: {c: "2"}\n'),
        ("a: 1\n", ["b", "c"], "2", 'a: 1\nb:\n  c: "2"\n'),
        ('{\n  "a": {\n    "b": "1"\n  }\n}', ["a", "c"], "x", '{\n  "a": {\n    "b": "1",\n    "c": "x"\n  }\n}'),
        ('{"a": {"b": 1}}', ["a", "c"], "2", '{"a": {"b": 1, "c": 2}}'),
        ('{"a": {"b": 1}}', ["a", "c"], "x", '{"a": {"b": 1, "c": "x"}}'),
        ('{"a": {"b": true}}', ["c", "d"], "x", '{"a": {"b": true}, "c": {"d": "x"}}'),
        ('{"a": {}}', ["a", "b"], "1", '{"a": {"b": "1"}}'),
        ("a:\n  b: 1\n  c: 2 # x\n  d: 3\n", ["a", "c"], None, "a:\n  b: 1\n  d: 3\n"),
        ("é: 😀\na: 1\n", ["a"], 2, "é: 😀\na: 2\n"),
    ],
)
def test_spans(text: str, path: list[str], value: str | int | None, expected: str | None) -> None:
    """The span of the value is replaced, or a line of its own added, in the style of what stands beside it."""
    if expected is None:
        with pytest.raises(Unfixable):
            changed(text, path, value)
        return
    assert expected == changed(text, path, value)
    yaml.safe_load(expected)


@pytest.mark.parametrize(
    ("text", "path", "value", "said"),
    [
        ("a: &a {b: 1}\nc: *a\n", ["c", "b"], 2, "anchor"),
        ("a: &a {b: 1}\nc: *a\n", ["a", "b"], 2, "anchor"),
        ("a: &a {b: 1}\nc:\n  d: &b 1\n  e: *b\n", ["c", "d"], 2, "anchor"),
        ("a: |\n  1\n", ["a"], 2, "several lines"),
        ("a: [1]\n", ["a"], 2, "several lines"),
        ("a:\nb: 1\n", ["a"], 2, "no value"),
        ("a: 1\n", ["a", "b"], 2, "no mapping"),
        ("a: 1\n", ["x", "y", "z"], 2, "the mapping x is missing: add it"),
        ("a: 1\n", ["x"], None, "nothing to remove"),
        ("a: {b: 1, c: 2}\n", ["a", "b"], None, "lines of its own"),
    ],
)
def test_what_is_not_touched(text: str, path: list[str], value: Any, said: str) -> None:
    """What stands in two places, or has no place, is left alone."""
    with pytest.raises(Unfixable, match=said):
        changed(text, path, value)


def violation(*operations: dict[str, Any], effect: str = "deny") -> dict[str, Any]:
    """A decision with a patch."""
    return {"violations": [{"rule": "R", "effect": effect, "patch": list(operations)}]}


def replace(path: str, value: Any) -> dict[str, Any]:
    """An operation of a patch."""
    return {"op": "replace", "path": path, "value": value}


FILES = {
    "strimzi": (f"{STRIMZI}  partitions: 30 # many\n", "30", "3"),
    "topicctl": ("meta: {name: a}\nspec:\n  partitions: 30\n  replicationFactor: 1\n", "30", "3"),
    "kafka-gitops": ("topics:\n  a:\n    partitions: 30\n    replication: 1\n", "30", "3"),
    "julie": (
        "context: c\nprojects:\n- name: p\n  topics:\n  - name: a\n    config: {num.partitions: '30'}\n",
        "30",
        "3",
    ),
    "own, with a mark of byte order": ("\ufefftopic: a\r\nnumPartitions: 30\r\n", "30", "3"),
    "the second document": (f"topic: z\nnumPartitions: 30\n---\n{STRIMZI}  partitions: 31", "31", "3"),
    "JSON": ('{"topic": "a",\n "numPartitions": 30}', "30", "3"),
    "beside a broken document": ("a: [\n---\ntopic: a\nnumPartitions: 30\n", "30", "3"),
}


@pytest.mark.parametrize("name", FILES)
def test_only_the_value_changes(name: str, tmp_path: Path) -> None:
    """Of every form, with whatever stands around it."""
    text, old, new = FILES[name]
    path = tmp_path / "f.yaml"
    path.write_bytes(text.encode())
    path.chmod(0o640)
    declared = read_paths([path]).declared[-1]
    fixes = fix([DecidedDeclaration(declared, "c", violation(replace("/numPartitions", 3)))])

    assert text.replace(old, new) == path.read_bytes().decode()
    assert 0o640 == path.stat().st_mode & 0o777
    written = [write.sentence for write in fixes.written]
    assert ([f"{path}: {declared.name}: numPartitions is 3"], []) == (written, fixes.left)
    assert [path] == list(tmp_path.iterdir())


def test_what_would_change_more_is_left(tmp_path: Path) -> None:
    """Minutes that another key overrides, an anchor, a value without a place: said, and the file is as it was."""
    text = "meta: {name: a}\nspec:\n  partitions: 3\n  replicationFactor: 1\n  retentionMinutes: 5\n"
    anchored = "topics:\n  a: &a {numPartitions: 3}\n  b: *a\n"
    for content, operation, said in (
        (text, replace("/configs/retention.ms", "9"), "more than that would change"),
        (anchored, replace("/numPartitions", 4), "it stands behind an anchor"),
        (text, replace("/labels/owner", "x"), "this format has no field for such a value: change it by hand"),
    ):
        path = tmp_path / "f.yaml"
        path.write_text(content)
        fixes = fix([DecidedDeclaration(read_paths([path]).declared[0], "c", violation(operation))])

        assert content == path.read_text()
        assert ([], True) == (fixes.written, said in fixes.left[0]), fixes


def test_warnings_are_not_fixed(tmp_path: Path) -> None:
    """Nothing is to be mended in what does not deny."""
    path = tmp_path / "f.yaml"
    path.write_text("topic: a\nnumPartitions: 3\n")
    warned = violation(replace("/numPartitions", 4), effect="warn")

    assert ([], []) == (
        (fixes := fix([DecidedDeclaration(read_paths([path]).declared[0], "c", warned)])).written,
        fixes.left,
    )


def test_a_file_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is as it was, and nothing is left beside it."""
    path = tmp_path / "f.yaml"
    path.write_text("topic: a\nnumPartitions: 3\n")
    declared = read_paths([path]).declared[0]

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(InputError, match=r"f.yaml: cannot be written \(No space left on device\)"):
        fix([DecidedDeclaration(declared, "c", violation(replace("/numPartitions", 4)))])

    assert "numPartitions: 3" in path.read_text()
    assert [path] == list(tmp_path.iterdir())


@pytest.mark.opa
def test_the_result_is_decided(check: Check) -> None:
    """What is written is named, the exit status is that of the result, and a second time nothing is written."""
    manifest = STRIMZI.replace("name: a", "name: shop.a")
    Path("both.yaml").write_text(f"# kept\n{BAD}---\n{manifest}  partitions: 3\n  config: {{retention.ms: 10}} # ten\n")
    result = check("both.yaml", "--fix")

    assert 0 == result.return_value, result.output
    assert "fixed both.yaml: shop.bad: numPartitions is 10\n" in result.stderr
    new = BAD.replace("30", "10").replace("ms: 10", "ms: 1000")
    assert (
        f"# kept\n{new}---\n{manifest}  partitions: 3\n  config: {{retention.ms: 1000}} # ten\n"
        == Path("both.yaml").read_text()
    )
    assert "" == check("both.yaml", "--fix").stderr


@pytest.mark.opa
@pytest.mark.parametrize("arguments", [["-", "--fix"], ["good.yaml", "--fix", "--diff", "a..b"]])
def test_nowhere_to_write(check: Check, arguments: list[str]) -> None:
    """Standard input and commits are not written to."""
    with pytest.raises(ConfigurationError, match="--fix writes files"):
        raise _error(check(*arguments))


_ONE = "topic: shop.orders.created\nnumPartitions: 3\nreplicationFactor: 1\n"
_MODES = {
    "rules": {
        "KFK-DUR-001": {"mode": "warn"},
        "KFK-DUR-002": {"mode": "deny", "params": {"margin": 1}},
        "KFK-DUR-003": {"mode": "deny", "params": {"min": 2}},
        "KFK-RET-001": {"mode": "deny", "params": {"min": 1000, "max": 604800000}},
    }
}


@pytest.fixture(scope="module")
def contradicting(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalOpa]:
    """An OPA where a topic of one replica is to have two in sync, and no more than there are."""
    directory = tmp_path_factory.mktemp("contradicting")
    (directory / "settings.yaml").write_text(yaml.safe_dump(_MODES), encoding="utf-8")
    bundle = build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml", opa=opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as running:
        yield running


@pytest.fixture(scope="module")
def production(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalOpa]:
    """An OPA with the profile of production clusters."""
    place = tmp_path_factory.mktemp("production") / "bundle.tar.gz"
    with LocalOpa(build_bundle(place, profile="production", opa=opa_binary), opa=opa_binary) as running:
        yield running


def _fix_by(opa: LocalOpa, directory: Path, text: str) -> Result:
    Path(directory, "own.yaml").write_text(text)
    arguments = ["own.yaml", "--fix", "--opa-url", opa.url, "--opa-token", opa.tokens.query]
    with chdir(directory):
        return CliRunner().invoke(command, arguments, standalone_mode=False)


@pytest.mark.opa
def test_two_rules_that_contradict_each_other(contradicting: LocalOpa, tmp_path: Path) -> None:
    """The place is as it was and both are named, while another is written and is not called fixed."""
    text = f"{_ONE}configs: {{retention.ms: 10}}\n"
    result = _fix_by(contradicting, tmp_path, text)
    place = "own.yaml: shop.orders.created: "

    assert text.replace("10}", "1000}") == Path(tmp_path, "own.yaml").read_text()
    kept = f"not fixed {place}two rules contradict each other, so that it is kept: configs/min.insync.replicas is "
    assert f"{kept}2 for KFK-DUR-003, configs/min.insync.replicas is 1 for KFK-DUR-002" in result.stderr
    assert f"changed {place}configs/retention.ms is 1000; still denied by KFK-DUR-003" in result.stderr
    assert "\nfixed " not in f"\n{result.stderr}"
    assert 1 == result.return_value


@pytest.mark.opa
def test_one_replica(production: LocalOpa, tmp_path: Path) -> None:
    """More replicas come first, so that what must be in sync fits: fixed, and allowed."""
    result = _fix_by(production, tmp_path, f"{_ONE}labels: {{owner: shop, dataClass: internal}}\n")

    assert "fixed own.yaml: shop.orders.created: replicationFactor is 3\n" in result.stderr
    assert "min.insync.replicas" not in Path(tmp_path, "own.yaml").read_text().replace('min.insync.replicas: "2"', "")
    assert 0 == result.return_value, result.output


@pytest.mark.opa
def test_a_policy_named_twice(production: LocalOpa, tmp_path: Path) -> None:
    """The rule about lists and the rule about the policy agree on what is left: fixed, and allowed."""
    labels = "labels: {owner: shop, dataClass: internal}\nconfigs: {cleanup.policy: 'delete,compact,delete'}\n"
    result = _fix_by(production, tmp_path, f"{_ONE.replace('replicationFactor: 1', 'replicationFactor: 3')}{labels}")

    assert "fixed own.yaml: shop.orders.created: configs/cleanup.policy is delete,compact\n" in result.stderr
    assert 0 == result.return_value, result.output


def test_one_place_twice() -> None:
    """Two values at once contradict each other, the same value does not; what is around a place is the place too."""
    declared = Declaration(format="warden", operation="CreateTopic", request={"topic": "a"}, file="f", line=1)

    def plan(*operations: dict[str, Any]) -> tuple[int, int]:
        violations = [{"rule": f"R{i}", "effect": "deny", "patch": [each]} for i, each in enumerate(operations)]
        writes, conflicts = plan_writes([DecidedDeclaration(declared, "c", {"violations": violations})])
        return len(writes), len(conflicts)

    assert (1, 1) == plan(replace("/configs/a", "1"), replace("/configs/a", "2"))
    assert (1, 0) == plan(replace("/configs/a", "1"), replace("/configs/a", "1"))
    assert (1, 1) == plan(replace("/configs", {}), replace("/configs/a", "1"))
    assert (2, 0) == plan(replace("/configs/a", "1"), replace("/configs/ab", "1"))
