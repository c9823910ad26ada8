"""`warden upgrade-check` and the Spark job: the same findings, on real OPA."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from warden.analysis.lists.stored import Finding, Stored, findings, stored
from warden.cli.upgrade_check import command
from warden.errors import ConfigurationError, InputError, OpaUndefined
from warden.opa.endpoints import RemoteOpa

FOREVER = (
    "an empty list keeps everything: nothing is deleted by retention.ms or retention.bytes, and nothing is compacted; "
    "with remote.storage.enable only local segments go, by local.retention.ms and local.retention.bytes"
)
DROPPED = (
    'Configuration key "cleanup.policy" contains duplicate values. Duplicates will be removed. '
    "The original value is: [delete, delete], the updated value is: [delete]"
)
EMPTY = "Configuration 'listeners' values must not be empty."
FOUND = [
    Finding("old", "broker", "1", "listeners", "PLAINTEXT://:9092,", "refused", EMPTY),
    Finding("old", "topic", "a", "cleanup.policy", "delete,delete", "reinterpreted", DROPPED),
    Finding("old", "topic", "b", "cleanup.policy", "", "reinterpreted", FOREVER),
]


def run(scan_opa: RemoteOpa, *arguments: str) -> Any:
    """The command, with the OPA that runs."""
    opa = ["--opa-url", scan_opa.url, "--opa-token", str(scan_opa.token)]
    return CliRunner().invoke(command, [*arguments, *opa], standalone_mode=False)


@pytest.mark.opa
def test_text(scan_opa: RemoteOpa, snapshot: Path) -> None:
    """Per cluster: how much, then each value with Kafka's words."""
    result = run(scan_opa, "--from", "3.9", "--to", "4.2", str(snapshot))

    assert [
        "good: Kafka 4.2 would refuse 0 and reinterpret 0 of the lists stored",
        "old: Kafka 4.2 would refuse 1 and reinterpret 2 of the lists stored",
        '  refused broker 1: listeners="PLAINTEXT://:9092,"',
        f"    {EMPTY}",
        '  reinterpreted topic a: cleanup.policy="delete,delete"',
        f"    {DROPPED}",
        '  reinterpreted topic b: cleanup.policy=""',
        f"    {FOREVER}",
    ] == result.output.splitlines()
    assert 1 == result.return_value


@pytest.mark.opa
def test_json(scan_opa: RemoteOpa, snapshot: Path) -> None:
    """For scripts, one cluster alone."""
    result = run(scan_opa, "--from", "3.9", "--to", "4.2", "--output", "json", "--cluster", "old", str(snapshot))

    expected = {"from": "3.9", "to": "4.2", "clusters": ["old"], "findings": [found._asdict() for found in FOUND]}
    assert expected == json.loads(result.output)


@pytest.mark.opa
@pytest.mark.parametrize(("releases", "status"), [(("3.9", "4.1"), 0), (("4.2", "4.3"), 1), (("4.1.2", "4.2.0"), 1)])
def test_releases(scan_opa: RemoteOpa, snapshot: Path, releases: tuple[str, str], status: int) -> None:
    """Before the KIP nothing changes; what both releases refuse is found all the same."""
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
    for directory in (snapshot,):
        result = run(scan_opa, *arguments, "--cluster", "good", str(directory))

        assert (ConfigurationError, sentence) == (type(result.exception), str(result.exception))


@pytest.mark.opa
def test_what_to_evaluate(scan_opa: RemoteOpa, snapshot: Path, tmp_path: Path) -> None:
    """Exactly one of a snapshot and a live cluster, and one that is there."""
    neither = run(scan_opa, "--from", "3.9", "--to", "4.2")
    both = run(scan_opa, "--from", "3.9", "--to", "4.2", "--bootstrap-server", "a:1", str(snapshot))
    absent = run(scan_opa, "--from", "3.9", "--to", "4.2", str(tmp_path / "none"))

    said = "say what to evaluate: a snapshot directory, or --bootstrap-server, and not both"
    assert (said, said) == (str(neither.exception), str(both.exception))
    assert isinstance(absent.exception, InputError)


def test_releases_are_checked_where_nothing_is_stored() -> None:
    """A wrong release is reported even when there is nothing to ask about."""
    inputs = []

    def ask(input: Any) -> Any:
        inputs.append(input)
        return {"errors": [], "findings": {}}

    assert [] == list(findings([], ask, before="1", after="2"))
    assert [{"from": "1", "to": "2", "items": {}}] == inputs


def test_an_answer_that_leaves_something_out() -> None:
    """What was not answered was not decided."""
    row = Stored("c", "topic", "t", {"cleanup.policy": ""})
    with pytest.raises(OpaUndefined, match="left out some"):
        list(findings([row], lambda _: {"errors": [], "findings": {}}, before="3.9", after="4.2"))


def test_rows_go_in_batches() -> None:
    """Each row is evaluated once, in its order, whatever the number of batches."""
    rows = [Stored("c", "topic", str(i), {"k": "v"}) for i in range(1201)]
    sizes = []

    def ask(input: Any) -> Any:
        sizes.append(len(input["items"]))
        found = [{"name": "k", "outcome": "refused", "message": "m"}]
        return {"errors": [], "findings": dict.fromkeys(input["items"], found)}

    found = list(findings(rows, ask, before="3.9", after="4.2"))

    assert ([500, 500, 201], [row.resource for row in rows]) == (sizes, [one.resource for one in found])


def test_what_is_stored() -> None:
    """Brokers and topics with overrides."""
    state = {"brokers": {"1": {"configs": {}}, "2": {"configs": {"a": "b"}}}, "topics": {"t": {"configs": {"c": None}}}}

    assert [Stored("x", "broker", "2", {"a": "b"}), Stored("x", "topic", "t", {"c": None})] == list(stored("x", state))


@pytest.mark.opa
@pytest.mark.spark
def test_the_spark_job_finds_the_same(spark: Any, scan_opa: RemoteOpa, snapshot: Path) -> None:
    """Over the rows of all clusters, whatever their formats."""
    from spark_jobs.analysis.upgrade import stored_rows, upgrade_findings

    found = upgrade_findings(stored_rows(spark, [snapshot, snapshot]), scan_opa, before="3.9", after="4.2").collect()

    assert sorted([*FOUND, *FOUND], key=str) == sorted((Finding(*row) for row in found), key=str)


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
    refused = sum(one.outcome == "refused" for one in FOUND)

    assert 1 == done.return_value
    assert done.stdout.splitlines() == [
        "good: Kafka 4.2 would refuse 0 and reinterpret 0 of the lists stored",
        f"old: Kafka 4.2 would refuse {refused} and reinterpret {len(FOUND) - refused} of the lists stored",
    ]
    assert len(FOUND) == spark.read.parquet(str(out)).count()


def test_findings_in_files_need_an_opa(snapshot: Path, tmp_path: Path) -> None:
    """Spark's tasks do not reach an OPA that a command starts."""
    arguments = [str(snapshot), "--from", "3.9", "--to", "4.2", "--out", str(tmp_path)]
    with pytest.raises(ConfigurationError, match="--out is for whole snapshots and needs --opa-url"):
        CliRunner().invoke(command, arguments, standalone_mode=False, catch_exceptions=False)
