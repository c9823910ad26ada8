"""A real disk under OPA that is full: decisions and replication go on, and all is kept again once there is room."""

import gzip
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fixtures.conditions import eventually
from tests.state.replicate.clusters import create, delete, replicating, same, write_config
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.slow]

_NAME = "full-disk"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 32 MiB, where this process may mount one."""
    path = tmp_path / "disk"
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(path)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a disk of its own for OPA needs the right to mount one: run this test as root")
    yield path
    subprocess.run(["umount", str(path)], check=True)


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(65536))
        except OSError:
            while True:
                try:
                    filler.write(b"\0")
                except OSError:
                    return


def _kept(directory: Path) -> bytes:
    (found,) = directory.glob("bundles/*/bundle.tar.gz")
    return found.read_bytes()


def test_a_disk_that_is_full_for_a_while(broker, shipped_bundle, opa_binary, connection, disk, tmp_path):
    """Meanwhile a new bundle decides and is not kept for a restart; the whole of the last one stays."""
    own, directory = replace(shipped_bundle, path=tmp_path / "bundle.tar.gz"), disk / "opa"
    content = gzip.decompress(shipped_bundle.path.read_bytes())
    own.path.write_bytes(gzip.compress(content, 9))
    directory.mkdir()
    with (
        LocalOpa(own, opa=opa_binary, directory=directory) as opa,
        opa.build_client(opa.tokens.replicator) as client,
        opa.build_client(opa.tokens.admin) as admin,
        replicating(write_config(tmp_path, opa, broker, _NAME)) as replicator,
    ):

        def activated() -> str:
            (bundle,) = admin.read_status()["bundles"].values()
            return str(bundle["last_successful_activation"])

        eventually(lambda: same(client, broker, _NAME), "the first load")
        eventually(lambda: _kept(directory) == own.path.read_bytes(), "the bundle is kept")
        _fill(disk / "filler")
        logged, before = opa.log.stat().st_size, activated()
        own.path.write_bytes(gzip.compress(content, 1))
        eventually(lambda: activated() != before, "the new bundle is in force")
        create(connection, "full-disk.a")
        eventually(lambda: same(client, broker, _NAME), "the change")
        is_lost = opa.log.stat().st_size - logged < 65536
        is_old = gzip.decompress(_kept(directory)) == content and _kept(directory) != own.path.read_bytes()

        (disk / "filler").unlink()
        before = activated()
        own.path.write_bytes(gzip.compress(content, 5))
        eventually(lambda: activated() != before, "the next bundle is in force")
        eventually(lambda: _kept(directory) == own.path.read_bytes(), "the next bundle is kept")
        create(connection, "full-disk.b")
        eventually(lambda: same(client, broker, _NAME), "the next change")
        eventually(lambda: opa.log.stat().st_size > logged, "lines are logged again")
        (status,) = replicator.statuses
        delete(connection, "full-disk.a", "full-disk.b")

    assert (True, True) == (is_lost, is_old)
    assert (1, 0) == (status.counts["writes", "swap"], status.counts["errors", "opa"])
