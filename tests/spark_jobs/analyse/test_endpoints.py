"""Tasks of an impact analysis and of an upgrade check reach OPA as those of a scan do: through a death and a start."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import requests
from click.testing import CliRunner

from spark_jobs.common.job_opa import SparkHost
from tests.fixtures import http
from tests.spark_jobs.scan.faulty import OpaKiller
from warden.analyse.impact.run_impact import ImpactRun
from warden.analyse.scan.batches import BatchLimits
from warden.analyse.upgrade.snapshot_upgrade import read_upgrade
from warden.base.errors import ScanError
from warden.commands.upgrade_check import command
from warden.demo.estate import OBSERVED_AT
from warden.policy.bundle.build import Bundle
from warden.policy.opa.endpoints import RemoteOpa
from warden.policy.opa.per_host import HostOpa
from warden.policy.opa.session import start_opa
from warden.state.snapshot.directory import write_snapshot

pytestmark = [pytest.mark.spark, pytest.mark.opa]

_TOPICS = 3200  # three requests of an upgrade check in each of two tasks
_RELEASES = ["--from", "3.9", "--to", "4.2"]


@pytest.fixture
def opa(opa_binary: Path, shipped_bundle: Bundle) -> Iterator[HostOpa]:
    """An OPA that tasks on this host start again where it has died."""
    with start_opa(shipped_bundle.path, opa_binary) as started:
        yield replace(started, host=SparkHost())


def write(directory: Path, topics: int) -> Path:
    """Write a snapshot of one cluster, whose topics Kafka 4.2 does not take as they are."""
    topic = {"numPartitions": 1, "replicationFactor": 1, "configs": {"message.format.version": "2.8"}, "labels": {}}
    state = {"clusterSize": 3, "topics": {f"shop.orders.n{number}": topic for number in range(topics)}}
    write_snapshot(directory, "c", state, day=date(2026, 12, 1), format="parquet")
    return directory


def test_impact_while_opa_is_killed(spark: Any, opa: HostOpa, tmp_path: Path) -> None:
    """Every resource is evaluated under both policies."""
    from spark_jobs.analyse.impact import ImpactInputs, analyse

    inputs = ImpactInputs(snapshot=write(tmp_path / "s", 40), now=OBSERVED_AT, limits=BatchLimits(rows=5))
    (part,) = analyse(spark, inputs, OpaKiller(opa, tmp_path / "killed"), opa, tmp_path / "out").parts

    assert (tmp_path / "killed").exists()
    assert (40, 40) == (part.evaluated, part.unchanged)


def test_upgrade_check_while_opa_is_killed(spark: Any, opa: HostOpa, tmp_path: Path) -> None:
    """Every value is found."""
    from spark_jobs.analyse.upgrade import find_upgrade_problems, read_stored_configs

    rows = read_stored_configs(spark, [write(tmp_path / "s", _TOPICS)])
    with opa.build_client() as client:
        upgrade = read_upgrade(client, "3.9", "4.2")
    found = find_upgrade_problems(rows, OpaKiller(opa, tmp_path / "killed"), upgrade)

    assert [("removed", _TOPICS)] == [tuple(row) for row in found.groupBy("outcome").count().collect()]
    assert (tmp_path / "killed").exists()


@pytest.mark.parametrize("states", [[], ["replicated"]])
def test_endpoints_of_an_impact_analysis(
    spark: Any, opa: HostOpa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, states: list[str]
) -> None:
    """Tasks start an OPA again where they have to; one that has states is not replaced by one without."""
    from spark_jobs.analyse import replay_run as module

    endpoints: list[Any] = []
    monkeypatch.setattr(module, "_load_states", lambda *_: states)
    monkeypatch.setattr(module, "analyse", lambda _spark, _inputs, *opas: endpoints.extend(opas[:2]))
    module.replay_run(lambda: nullcontext(spark), ImpactRun(snapshot=tmp_path), [opa, opa], tmp_path / "out")

    assert 2 * [opa.ensure_running_remote() if states else opa] == endpoints


def test_upgrade_check_while_the_bundle_changes(spark: Any, scan_opa: RemoteOpa, tmp_path: Path) -> None:
    """What two bundles have found is no result: behind one address some tasks meet another OPA than the driver."""

    class Handler(http.Handler):
        def respond(self) -> None:
            body = self.body()
            headers = {"Authorization": self.headers["Authorization"], "Accept-Encoding": "identity"}
            passed = requests.post(scan_opa.url + self.path, data=body, headers=headers, timeout=120)
            answer = passed.json()
            if json.loads(body)["input"]["items"]:
                answer["result"]["revision"] = "2-b"
            self.answer(passed.status_code, json.dumps(answer).encode())

    with http.served(Handler) as url:
        arguments = [str(write(tmp_path / "s", 3)), *_RELEASES, "--opa-url", url, "--opa-token", str(scan_opa.token)]
        result = CliRunner().invoke(command, [*arguments, "--out", str(tmp_path / "out")], standalone_mode=False)

    assert isinstance(result.exception, ScanError)
    assert str(result.exception).endswith(" to 2-b: run it again")
