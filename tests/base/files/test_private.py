"""What holds secrets, logs or remembered decisions is its user's alone, with a umask that forbids nothing."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.conditions import eventually
from warden.base.files.private import make_private_directory, open_private, write_private
from warden.base.process.child_process import Process
from warden.base.toolchain.cache import Cache
from warden.policy.bundle.signing import obtain_local_key
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.session import start_opa
from warden.state.sources.kubernetes.access import Access, Credential
from warden.state.sources.kubernetes.api import ApiServer


@pytest.fixture(autouse=True)
def _no_umask() -> Iterator[None]:
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


def open_to_others(directory: Path) -> list[str]:
    """Whatever of a directory, with itself, others than its user may reach."""
    every = [directory, *directory.rglob("*")]
    return [f"{path}: {stat.S_IMODE(path.stat().st_mode):o}" for path in every if path.stat().st_mode & 0o077]


def test_made_private(tmp_path):
    """With what is missing above it; what is there keeps its mode, and a file is not a directory."""
    there = tmp_path / "there"
    there.mkdir()
    made = make_private_directory(there / "a" / "b")
    write_private(made / "c", "secret")
    with open_private(made / "d", "a") as file:
        file.write("log")

    assert [] == open_to_others(there / "a")
    assert 0o777 == stat.S_IMODE(make_private_directory(there).stat().st_mode)
    with pytest.raises(FileExistsError):
        make_private_directory(made / "c")


@pytest.mark.process
def test_what_a_program_writes(tmp_path):
    """Its log, and its own files."""
    command = ["/bin/sh", "-c", f"mkdir {tmp_path}/own && echo a > {tmp_path}/own/file && echo b && sleep 60"]
    process = Process(command, {"PATH": os.environ["PATH"]}, tmp_path / "log")
    try:
        eventually(lambda: "b" in (tmp_path / "log").read_text(), "what it says")
    finally:
        process.stop()

    assert [] == open_to_others(tmp_path / "own")
    assert [] == open_to_others(tmp_path / "log")


def test_the_cache_and_its_signing_key(tmp_path):
    """The key that signs bundles here, and the programs that are run from beside it."""
    key = obtain_local_key(tmp_path / "new" / "warden")
    Cache(tmp_path / "other" / "warden").obtain("a", lambda directory: (directory / "program").touch())

    assert [] == open_to_others(tmp_path / "new")
    assert 0o600 == stat.S_IMODE(key.path.stat().st_mode)
    assert 0o700 == stat.S_IMODE((tmp_path / "other" / "warden").stat().st_mode)


@pytest.mark.opa
def test_an_opa_of_this_machine(opa_binary, shipped_bundle, tmp_path):
    """Its log of decisions and the bundle that it keeps."""
    with (
        LocalOpa(shipped_bundle, opa=opa_binary, directory=tmp_path / "new" / "opa") as opa,
        opa.build_client() as client,
    ):
        client.decide({})
        opened = open_to_others(tmp_path / "new")
        files = {path.name for path in opa.directory.iterdir()}
    with LocalOpa(shipped_bundle, opa=opa_binary) as temporary:
        opened += open_to_others(temporary.directory)

    assert [] == opened
    assert {"opa.log", "bundles"} <= files


@pytest.mark.opa
def test_an_opa_of_a_host(opa_binary, shipped_bundle):
    """What the tasks of a job share."""
    with start_opa(shipped_bundle.path, opa_binary) as opa:
        opa.ensure_running()
        opened = open_to_others(opa.directory)
        files = {path.name for path in opa.directory.iterdir()}

    assert [] == opened
    assert {"config.json", "lock", "opa.log", "state"} <= files


def test_a_client_certificate_of_kubernetes():
    """TLS takes keys from files only."""
    with ApiServer(
        Access("https://127.0.0.1:1", "test", Credential(certificate=b"a certificate", key=b"a key"))
    ) as api:
        directory = Path(api._directory.name)
        opened, files = open_to_others(directory), {path.name for path in directory.rglob("*") if path.is_file()}

    assert [] == opened
    assert {"crt", "key"} == files


def test_remembered_decisions(tmp_path):
    """Whoever could write there would decide."""
    from spark_jobs.scan.cache.decision_cache import DecisionCache

    DecisionCache.open(tmp_path / "out" / "cache", "context").add_run("inputs", tmp_path)

    assert [] == open_to_others(tmp_path / "out" / "cache")
