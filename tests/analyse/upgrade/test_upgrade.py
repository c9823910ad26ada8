"""`warden upgrade-check` and the Spark job: the same findings, on real OPA."""

import json
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.analyse.upgrade.conftest import TOPIC
from warden.analyse.upgrade.snapshot_upgrade import (
    DEFAULT_OUTCOME,
    StoredConfigs,
    Upgrade,
    UpgradeFinding,
    iter_findings,
    iter_stored_configs,
    list_gaps,
    read_upgrade,
)
from warden.analyse.upgrade.text import iter_lines
from warden.base.errors import ConfigurationError, InputError
from warden.commands.upgrade_check import command
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.snapshot.directory import read_cluster, write_snapshot

FOREVER = (
    "an empty list keeps everything: nothing is deleted by retention.ms or retention.bytes, and nothing is compacted; "
    "with remote.storage.enable only local segments go, by local.retention.ms and local.retention.bytes"
)
DROPPED = (
    'Configuration key "cleanup.policy" contains duplicate values. Duplicates will be removed. '
    "The original value is: [delete, delete], the updated value is: [delete]"
)
EMPTY = "Configuration 'listeners' values must not be empty."
GONE = "Kafka 4.0 does not know it: remove it; records are always written in the newest format"
LEVEL = "Kafka 4.2 runs from level 7 (3.3-IV3) on: finalise it with kafka-features before the upgrade"
FOUND = [
    UpgradeFinding("old", "broker", "1", "listeners", "PLAINTEXT://:9092,", "refused", EMPTY),
    UpgradeFinding("old", "broker", "2", "log.message.format.version", "2.8", "removed", GONE),
    UpgradeFinding("old", "topic", "a", "cleanup.policy", "delete,delete", "reinterpreted", DROPPED),
    UpgradeFinding("old", "topic", "b", "cleanup.policy", "", "reinterpreted", FOREVER),
    UpgradeFinding("old", "features", "features", "metadata.version", "6", "refused", LEVEL),
]
"""But for the defaults."""


def but_defaults(found: Iterable[UpgradeFinding]) -> list[UpgradeFinding]:
    """What `FOUND` has."""
    return [one for one in found if one.outcome != DEFAULT_OUTCOME]


def run(scan_opa: RemoteOpa, *arguments: str) -> Any:
    """The command, with the OPA that runs."""
    opa = ["--opa-url", scan_opa.url, "--opa-token", str(scan_opa.token)]
    return CliRunner().invoke(command, [*arguments, *opa], standalone_mode=False)


@pytest.mark.opa
def test_text(scan_opa: RemoteOpa, snapshot: Path) -> None:
    """Per cluster: how much, then each value with Kafka's words."""
    result = run(scan_opa, "--from", "3.9", "--to", "4.2", str(snapshot))

    lines = result.output.splitlines()
    heads = [line for line in lines if not line.startswith(" ")]
    assert heads[0].startswith("good: Kafka 4.2 would refuse 0, not know 0 and reinterpret 0 of what is set; ")
    assert heads[1].startswith("old: Kafka 4.2 would refuse 2, not know 1 and reinterpret 2 of what is set; ")
    assert heads[2].startswith("Kafka 4.2 no longer takes versions of requests that old clients send: ")
    assert heads[3].startswith("in Kafka 4.2 configs of brokers have other types: advertised.listeners list (string ")
    assert 4 == len(heads)
    old = lines[lines.index(heads[1]) + 1 : lines.index(heads[2])]
    assert [
        '  refused broker 1: listeners="PLAINTEXT://:9092,"',
        f"    {EMPTY}",
        '  removed broker 2: log.message.format.version="2.8"',
        f"    {GONE}",
        '  reinterpreted topic a: cleanup.policy="delete,delete"',
        f"    {DROPPED}",
        '  reinterpreted topic b: cleanup.policy=""',
        f"    {FOREVER}",
    ] == old[:8]
    assert ['  refused feature metadata.version="6"', f"    {LEVEL}"] == old[-2:]
    threads = old.index("  default brokers: group.coordinator.threads, which not all of them set")
    assert '    its default is "4", and was "1"' == old[threads + 1]
    assert not any("num.recovery.threads.per.data.dir" in line for line in lines)  # the cluster has it
    assert 1 == result.return_value


@pytest.mark.opa
def test_hosts_that_become_ranges(scan_opa: RemoteOpa, snapshot: Path) -> None:
    """An ACL for a host that no client has is one for many from 4.4 on."""
    lines = run(scan_opa, "--from", "3.5", "--to", "4.4", "--cluster", "old", str(snapshot)).output.splitlines()

    found = lines.index("  reinterpreted ACL of User:a: ALLOW READ TOPIC orders LITERAL 10.0.0.0/8")
    assert lines[found + 1].startswith("    Kafka 4.4 reads the host as a range of addresses with 24 open bits of ipv4")


@pytest.mark.opa
def test_json(scan_opa: RemoteOpa, snapshot: Path) -> None:
    """For scripts, one cluster alone."""
    result = run(scan_opa, "--from", "3.9", "--to", "4.2", "--output", "json", "--cluster", "old", str(snapshot))

    said = json.loads(result.output)
    assert FOUND == but_defaults(UpgradeFinding(**one) for one in said.pop("findings"))
    assert 2 == len(said.pop("notes"))
    assert {"from": "3.9", "to": "4.2", "clusters": ["old"], "unknown": {}} == said


@pytest.mark.opa
@pytest.mark.parametrize(
    ("releases", "status"), [(("3.8", "3.9"), 0), (("3.9", "4.1"), 1), (("4.2", "4.3"), 1), (("4.1.2", "4.2.0"), 1)]
)
def test_releases(scan_opa: RemoteOpa, snapshot: Path, releases: tuple[str, str], status: int) -> None:
    """Where nothing is refused, removed or read otherwise; what both releases refuse is found all the same."""
    result = run(scan_opa, "--from", releases[0], "--to", releases[1], str(snapshot))

    assert status == result.return_value


@pytest.mark.opa
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--from", "3", "--to", "4.2"), '--from: "3" is not a release such as 4.2 or 4.2.0'),
        (("--from", "4.2", "--to", "3.9"), "--to: 3.9 is older than from, 4.2"),
    ],
)
def test_releases_that_are_none(scan_opa: RemoteOpa, snapshot: Path, arguments: tuple[str, ...], sentence: str) -> None:
    """The flag is named, and what it has to be; also for a cluster that has nothing stored."""
    result = run(scan_opa, *arguments, "--cluster", "good", str(snapshot))

    assert (ConfigurationError, sentence) == (type(result.exception), str(result.exception))


@pytest.mark.opa
def test_a_cluster_in_two_snapshots(scan_opa: RemoteOpa, snapshot: Path, tmp_path: Path) -> None:
    """The findings of both stand under one headline, whichever comes first, and what either of them lacks."""
    topic = {**TOPIC, "configs": {"message.format.version": "2.8"}}
    other = {"brokers": {}, "topics": {"z": topic}, "meta": {}}
    write_snapshot(tmp_path, "old", other, day=date(2026, 11, 20), format="jsonl")
    for places in ((snapshot, tmp_path), (tmp_path, snapshot)):
        lines = run(scan_opa, "--from", "3.9", "--to", "4.2", *map(str, places)).output.splitlines()
        heads = [number for number, line in enumerate(lines) if line.startswith("old: ")]

        assert 1 == len(heads)
        assert "would refuse 2, not know 2 and reinterpret 2 of what is set" in lines[heads[0]]
        assert lines[heads[0] + 1] == "  not known, and left out: the brokers, the features, the ACLs"
        assert '  removed topic z: message.format.version="2.8"' in lines
        assert '  refused feature metadata.version="6"' in lines


@pytest.mark.opa
def test_what_to_evaluate(scan_opa: RemoteOpa, snapshot: Path, tmp_path: Path) -> None:
    """Exactly one of a snapshot and a live cluster, and one that is there."""
    neither = run(scan_opa, "--from", "3.9", "--to", "4.2")
    both = run(scan_opa, "--from", "3.9", "--to", "4.2", "--bootstrap-server", "a:1", str(snapshot))
    absent = run(scan_opa, "--from", "3.9", "--to", "4.2", str(tmp_path / "none"))

    said = "say what to evaluate: a snapshot directory, or --bootstrap-server, and not both"
    assert (said, said) == (str(neither.exception), str(both.exception))
    assert isinstance(absent.exception, InputError)


def test_rows_go_in_batches() -> None:
    """Each row is evaluated once, in its order, whatever the number of batches."""
    rows = [StoredConfigs("c", "topic", str(i), {"k": "v"}) for i in range(1201)]
    sizes = []

    def post(_path: str, body: bytes) -> bytes:
        items = json.loads(body)["input"]["items"]
        sizes.append(len(items))
        found = [{"name": "k", "outcome": "refused", "message": "m"}]
        return json.dumps({"result": {"errors": [], "findings": dict.fromkeys(items, found)}}).encode()

    found = list(iter_findings(rows, Upgrade("3.9", "4.2", [], None), post))

    assert ([500, 500, 201], [row.resource for row in rows]) == (sizes, [one.resource for one in found])


def test_what_is_stored() -> None:
    """Brokers and topics with overrides, what all brokers set, and the features."""
    brokers = {
        "": {"configs": {"d": "1"}},
        "1": {"configs": {"a": "b", "e": "1"}},
        "2": {"configs": {"a": "c"}},
    }
    state = {"brokers": brokers, "topics": {"t": {"configs": {"c": None}}}, "features": {"f": 3}}
    acl = {
        "permissionType": "ALLOW",
        "operation": "READ",
        "resourceType": "TOPIC",
        "resourceName": "orders",
        "patternType": "LITERAL",
        "host": "10.0.0.0/8",
    }
    state |= {"resourceConfigs": {"group": {"g": {"k": "v"}}}, "acls": {"User:a": [acl]}}

    assert [
        StoredConfigs("x", "broker", "", {"d": "1"}),
        StoredConfigs("x", "broker", "1", {"a": "b", "e": "1"}),
        StoredConfigs("x", "broker", "2", {"a": "c"}),
        StoredConfigs("x", "topic", "t", {"c": None}),
        StoredConfigs("x", "brokerDefaults", "brokerDefaults", {"a": None, "d": None}),
        StoredConfigs("x", "group", "g", {"k": "v"}),
        StoredConfigs("x", "acl", "User:a", {"ALLOW READ TOPIC orders LITERAL 10.0.0.0/8": "10.0.0.0/8"}),
        StoredConfigs("x", "features", "features", {"f": "3"}),
    ] == list(iter_stored_configs("x", state))
    assert [] == list_gaps(state)


def test_what_is_not_known() -> None:
    """Of brokers that did not tell their configs nothing is said of defaults, and the command says so."""
    state = {"brokers": {"1": {"configs": {}}, "2": {"configs": {"a": "b"}}}, "topics": {}}

    assert [StoredConfigs("x", "broker", "2", {"a": "b"})] == list(iter_stored_configs("x", state))
    assert list_gaps(state) == ["configs and defaults of broker 1", "the features", "the ACLs"]
    assert list_gaps({"topics": {}}) == ["the brokers", "the features", "the ACLs"]
    assert [
        "x: Kafka 4.2 would refuse 0, not know 0 and reinterpret 0 of what is set",
        "  not known, and left out: configs and defaults of broker 1, the features, the ACLs",
    ] == list(iter_lines({"x": list_gaps(state)}, [], "4.2"))


@pytest.mark.opa
@pytest.mark.spark
def test_the_spark_job_finds_the_same(spark: Any, scan_opa: RemoteOpa, snapshot: Path) -> None:
    """Over the rows of all clusters, whatever their formats."""
    from spark_jobs.analyse.upgrade import find_upgrade_problems, read_stored_configs

    with scan_opa.build_client() as client:
        upgrade = read_upgrade(client, "3.9", "4.2")
    assert upgrade.revision
    found = find_upgrade_problems(read_stored_configs(spark, [snapshot, snapshot]), scan_opa, upgrade).collect()

    assert sorted([*FOUND, *FOUND], key=str) == sorted(but_defaults(UpgradeFinding(*row) for row in found), key=str)
    of_defaults = [UpgradeFinding(*row) for row in found if row["outcome"] == DEFAULT_OUTCOME]
    with scan_opa.build_client() as client:
        states = [read_cluster(snapshot, name) for name in ("good", "old")]
        rows = [
            row for name, state in zip(("good", "old"), states, strict=True) for row in iter_stored_configs(name, state)
        ]
        alone = [one for one in iter_findings(rows, upgrade, client.post_raw) if one.outcome == DEFAULT_OUTCOME]
    assert sorted([*alone, *alone], key=str) == sorted(of_defaults, key=str)


@pytest.mark.opa
@pytest.mark.spark
def test_findings_in_files(spark: Any, scan_opa: RemoteOpa, snapshot: Path, tmp_path: Path) -> None:
    """With --out Spark writes the findings as Parquet, and the command counts them by cluster."""
    out = tmp_path / "findings"
    releases = ["--from", "3.9", "--to", "4.2"]
    opa = ["--opa-url", scan_opa.url, "--opa-token", str(scan_opa.token)]
    done = CliRunner().invoke(
        command, [str(snapshot), *releases, *opa, "--out", str(out)], standalone_mode=False, catch_exceptions=False
    )
    rows = [UpgradeFinding(**row.asDict()) for row in spark.read.parquet(str(out)).collect()]

    assert 1 == done.return_value
    assert sorted(FOUND, key=str) == sorted(but_defaults(rows), key=str)
    for name, counts in (("good", "0, not know 0 and reinterpret 0"), ("old", "2, not know 1 and reinterpret 2")):
        defaults = sum(one.cluster == name and one.outcome == DEFAULT_OUTCOME for one in rows)
        said = f"{name}: Kafka 4.2 would refuse {counts} of what is set; {defaults} defaults change"
        assert said in done.stdout.splitlines()


@pytest.mark.opa
@pytest.mark.spark
def test_findings_replace_no_snapshot(spark: Any, scan_opa: RemoteOpa, tmp_path: Path) -> None:
    """What --out names and is no table of findings stays."""
    write_snapshot(tmp_path, "c", {"topics": {}}, day=date(2026, 11, 20))
    before = sorted(tmp_path.rglob("*"))
    result = run(scan_opa, str(tmp_path), "--from", "3.9", "--to", "4.2", "--out", str(tmp_path))

    assert isinstance(result.exception, InputError)
    assert before == sorted(tmp_path.rglob("*"))


def test_findings_in_files_need_an_opa(snapshot: Path, tmp_path: Path) -> None:
    """Spark's tasks do not reach an OPA that a command starts."""
    arguments = [str(snapshot), "--from", "3.9", "--to", "4.2", "--out", str(tmp_path)]
    with pytest.raises(ConfigurationError, match="--out is for whole snapshots, and for an OPA that Spark"):
        CliRunner().invoke(command, arguments, standalone_mode=False, catch_exceptions=False)
