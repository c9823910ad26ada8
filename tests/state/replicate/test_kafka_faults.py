"""A real cluster in a real OPA while one of them, or the replicator, fails: the replica equals the cluster again."""

import gzip
import os
import shutil
import signal
import time
from dataclasses import replace
from typing import Any

import pytest

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.pausing import pause
from tests.state.replicate.clusters import (
    create,
    delete,
    replica_of,
    replicating,
    replicating_process,
    same,
    write_config,
)
from tests.state.replicate.proxy import proxy
from warden.policy.opa.local import LocalOpa
from warden.state.sources.kafka.login.connection import connect

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.slow]


def test_opa_is_killed(broker, opa, client, connection, tmp_path):
    """What changed meanwhile is there as well; the cluster was not loaded anew for it."""
    with replicating(write_config(tmp_path, opa, broker, "opa-killed")) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: same(client, broker, "opa-killed"), "the first load")
        os.kill(opa.pid, signal.SIGKILL)
        create(connection, "meanwhile")
        eventually(lambda: status.opa_error, "noticing")
        opa.restart()
        eventually(lambda: same(client, broker, "opa-killed"), "the replica")
        loads = status.counts["loads", "requested"]
    delete(connection, "meanwhile")

    assert 1 == loads


def test_opa_is_slow_and_fails(broker, opa, client, connection, tmp_path):
    """Every other write is refused or takes long, and the replica is right in the end."""
    turn = iter(range(10**9))
    with proxy(opa.url) as between:
        config = write_config(tmp_path, opa, broker, "failing", url=between.url)
        with replicating(config) as replicator:
            eventually(lambda: same(client, broker, "failing"), "the first load")
            between.fault = lambda method, _: (
                (503, None, 0.3, 500)[next(turn) % 4] if method in ("PUT", "PATCH") else None
            )
            for number in range(3):
                create(connection, f"failing.{number}")
                errors = replicator.statuses[0].counts["errors", "opa"]
                eventually(lambda: replicator.statuses[0].counts["errors", "opa"] > errors, "a failure")  # noqa: B023 - called at once
            between.fault = lambda _method, _path: None
            eventually(lambda: same(client, broker, "failing"), "the replica")
    delete(connection, *(f"failing.{number}" for number in range(3)))


def test_persistence_that_fails(broker, shipped_bundle, opa_binary, connection, tmp_path):
    """OPA keeps only bundles on disk: where it no longer can, replication goes on as if nothing were."""
    own, directory = replace(shipped_bundle, path=tmp_path / "bundle.tar.gz"), tmp_path / "opa"
    shutil.copy(shipped_bundle.path, own.path)
    with LocalOpa(own, opa=opa_binary, directory=directory) as opa, opa.build_client(opa.tokens.replicator) as client:
        with replicating(write_config(tmp_path, opa, broker, "no-disk")) as replicator:
            eventually(lambda: same(client, broker, "no-disk"), "the first load")
            shutil.rmtree(directory / "bundles")
            (directory / "bundles").write_text("a file where OPA wants a directory: as good as a full disk")
            own.path.write_bytes(gzip.compress(gzip.decompress(own.path.read_bytes()), 1))
            eventually(lambda: "not a directory" in opa.log.read_text(), "OPA's complaint about its disk")
            create(connection, "no-disk.a")
            eventually(lambda: same(client, broker, "no-disk"), "the change")
            (status,) = replicator.statuses
        delete(connection, "no-disk.a")

    assert (1, 0) == (status.counts["writes", "swap"], status.counts["errors", "opa"])


def test_the_broker_is_killed(broker, opa, client, tmp_path):
    """The replica stays and grows old, the replicator is not ready and asks seldom; then the replica is right again."""
    with connect(broker.bootstrap_servers, timeout=PATIENCE) as first:
        create(first, "before")
    with replicating(write_config(tmp_path, opa, broker, "broker-killed", timeout=3)) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: same(client, broker, "broker-killed"), "the first load")
        begun, before = time.monotonic(), status.counts["errors", "source"]
        os.kill(broker.pid, signal.SIGKILL)
        problem = eventually(lambda: status.source_error and status.find_problem(), "not being ready")
        replica = replica_of(client, "broker-killed")
        tried, passed = status.counts["errors", "source"] - before, time.monotonic() - begun
        broker.restart()
        eventually(lambda: same(client, broker, "broker-killed"), "the replica")
        eventually(lambda: not status.find_problem(), "being ready again")
        with connect(broker.bootstrap_servers, timeout=PATIENCE) as again:
            create(again, "after")
            eventually(lambda: "after" in replica_of(client, "broker-killed")["topics"], "a change after the return")
            delete(again, "before", "after")

    assert "s old, more than 3 s" in problem
    assert "before" in replica["topics"]
    assert tried <= 1 + 4 * passed  # the pause begins at 0.25 to 0.5 s and doubles


def test_the_replicator_is_killed(broker, opa, client, connection, tmp_path):
    """Another one finds what was left, waits for nobody once that is old, and sees what changed meanwhile."""
    config = write_config(tmp_path, opa, broker, "killed")
    with replicating_process(config) as first:
        eventually(lambda: same(client, broker, "killed"), "the first load")
        first.send_signal(signal.SIGKILL)
        first.wait()
    writer = replica_of(client, "killed")["meta"]["writer"]
    create(connection, "unseen")
    with replicating_process(config) as second:
        eventually(lambda: replica_of(client, "killed")["meta"]["writer"] != writer, "taking over")
        eventually(lambda: same(client, broker, "killed"), "the replica")
        second.terminate()
        status = second.wait(PATIENCE)
    delete(connection, "unseen")

    assert (0, {}) == (status, replica_of(client, "killed")["meta"]["writer"])


def test_two_replicators(broker, opa, client, connection, tmp_path):
    """One leads and one looks on; when the leader is killed the other goes on."""
    config = write_config(tmp_path, opa, broker, "two", lease=20)
    with replicating_process(config) as first:
        eventually(lambda: same(client, broker, "two"), "the first load")
        with replicating(config) as second:
            (status,) = second.statuses
            assert str(first.pid) in eventually(lambda: status.leader, "looking on")
            first.kill()
            first.wait()
            create(connection, "orphan")
            eventually(lambda: status.loaded and status.leader is None, "taking over")
            eventually(lambda: same(client, broker, "two"), "the replica")
            swaps = status.counts["writes", "swap"]
    delete(connection, "orphan")

    assert 1 <= swaps <= 3


def test_the_leader_is_paused(broker, opa, client, connection, tmp_path):
    """The other takes over; the one that wakes up writes nothing more, and leads again only when the other ends."""
    config = write_config(tmp_path, opa, broker, "paused", lease=20)
    with replicating_process(config) as first:
        eventually(lambda: same(client, broker, "paused"), "the first load")
        with replicating(config) as second:
            (status,) = second.statuses
            eventually(lambda: status.leader, "looking on")
            pause(first.pid)
            eventually(lambda: status.loaded and status.leader is None, "taking over")
            os.kill(first.pid, signal.SIGCONT)
            writers = set[str]()
            for number in range(3):
                create(connection, f"paused.{number}")
                eventually(lambda: same(client, broker, "paused"), "the replica")
                writers |= set(replica_of(client, "paused")["meta"]["writer"])
            own, loads = second.identity, status.counts["writes", "swap"]
        eventually(
            lambda: own not in (replica_of(client, "paused")["meta"]["writer"] or [own]), "the first leads again"
        )
        delete(connection, *(f"paused.{number}" for number in range(3)))
        eventually(lambda: same(client, broker, "paused"), "the replica of the first")
        assert first.poll() is None

    assert {own} == writers
    assert 1 <= loads <= 3


def test_who_takes_over_counts_deletions_that_it_did_not_see(broker, opa, client, connection, tmp_path):
    """Topics that came and went between two polls of the one that looks on, while the other led."""
    seldom: dict[str, Any] = {"interval": 600, "activityInterval": 600, "compare": 0, "lease": 1200, "maxAge": 600}
    names = [f"short-lived.{number}" for number in range(3)]
    with replicating(write_config(tmp_path, opa, broker, "short-lived", assumeNoDeletions=True)) as first:
        eventually(lambda: same(client, broker, "short-lived"), "the first load")
        config = write_config(tmp_path, opa, broker, "short-lived", assumeNoDeletions=True, **seldom)
        with replicating(config) as second:
            (status,) = second.statuses
            eventually(lambda: status.leader, "looking on")
            create(connection, *names)
            eventually(lambda: {*names} <= replica_of(client, "short-lived").get("topics", {}).keys(), "the topics")
            delete(connection, *names)
            eventually(lambda: replica_of(client, "short-lived").get("deletions") == {"lastHour": 3}, "their deletion")
            first.stop()
            eventually(lambda: status.loaded and status.leader is None, "taking over")

            eventually(lambda: replica_of(client, "short-lived").get("deletions") == {"lastHour": 3}, "the same count")
