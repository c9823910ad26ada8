"""An OPA for each host: one for all who ask, again where it has died, none where nobody is left."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from warden.base.errors import BundleError, ScanError
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.signing import SigningKey
from warden.policy.bundle.unsigned import read_bundle_revision, strip_signature
from warden.policy.bundle.verify import verify_bundle
from warden.policy.opa.item_size import MAX_BODY_BYTES
from warden.policy.opa.per_host import HostOpa

pytestmark = [pytest.mark.spark, pytest.mark.opa]


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(done.stdout.strip()) and not done.stdout.startswith("Z")


@pytest.fixture
def host(shipped_bundle: Bundle, opa_binary: Path, tmp_path: Path) -> Iterator[HostOpa]:
    """An endpoint that nobody has opened yet."""
    bare = strip_signature(shipped_bundle.path, tmp_path / "bare.bundle")
    assert shipped_bundle.revision == read_bundle_revision(bare)
    digest = sha256(bare.read_bytes()).hexdigest()
    found = HostOpa(f"test-{os.getpid()}-{tmp_path.name}", str(bare), digest, shipped_bundle.revision, str(opa_binary))
    yield found
    found.stop()
    assert not found.directory.exists()


def test_one_for_all(host: HostOpa) -> None:
    """However many ask at a time, one is started; when it is killed another one is; it asks for its token."""
    with ThreadPoolExecutor(8) as pool:
        urls = set(pool.map(lambda _: host.ensure_running(), range(16)))
    before = host.read_launch_record()
    config = json.loads((host.directory / "config.json").read_text())
    assert before is not None
    os.kill(before["pid"], signal.SIGKILL)
    eventually(lambda: not alive(before["pid"]), "its end")
    with host.build_client() as client:
        revision = client.read_revision()
    after = host.read_launch_record()

    assert 1 == len(urls)
    assert after is not None
    assert before["pid"] != after["pid"]
    assert host.revision == revision
    assert host.tokens.query not in repr(host)
    ours = yaml.safe_load((CHECKOUT / "deploy" / "opa-config.yaml").read_text())["server"]["decoding"]
    assert 2**27 == config["server"]["decoding"]["max_length"]  # of a request, whatever an item may have
    assert ours["gzip"] == config["server"]["decoding"]["gzip"]
    assert MAX_BODY_BYTES == ours["max_length"]


def test_what_must_not_evaluate(host: HostOpa, tmp_path: Path) -> None:
    """Another bundle than the one that was verified is refused, as is another revision."""
    with pytest.raises(ScanError, match=r"this host's OPA serves revision .*, the scan is of other"):
        replace(host, revision="other").ensure_running()
    Path(host.bundle).write_bytes(b"other")
    with pytest.raises(ScanError, match="is not the bundle of this scan"):
        host.ensure_running()
    Path(host.bundle).unlink()
    with pytest.raises(ScanError, match="cannot be read on this host"):
        host.ensure_running()


def test_ends_with_who_started_it(host: HostOpa) -> None:
    """Where the process that wanted it is killed, OPA ends, and its directory goes."""
    import pickle

    code = (
        "import sys, time, pickle; pickle.loads(bytes.fromhex(sys.argv[1])).ensure_running(); print('up', flush=True)"
    )
    path = os.pathsep.join([str(CHECKOUT / "glue"), str(CHECKOUT)])
    owner = subprocess.Popen(
        [sys.executable, "-c", f"{code}; time.sleep(600)", pickle.dumps(host).hex()],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert owner.stdout
    with owner.stdout:
        assert "up" == owner.stdout.readline().strip()
    state = host.read_launch_record()
    assert state is not None
    assert alive(state["pid"])
    owner.kill()
    owner.wait()

    eventually(lambda: not alive(state["pid"]) and not host.directory.exists(), "the end of OPA")


def test_bundles_of_others(shipped_bundle: Bundle, opa_binary: Path, tmp_path: Path) -> None:
    """A bundle evaluates only where its signature is that of the key: not where it was changed, or never signed."""
    secret = tmp_path / "secret"
    secret.write_text("another secret of some length, for HS256")

    verify_bundle(opa_binary, shipped_bundle.path)
    with pytest.raises(BundleError, match="its signature is not good"):
        verify_bundle(opa_binary, shipped_bundle.path, SigningKey(secret, "HS256"))
    with pytest.raises(BundleError, match="its signature is not good"):
        verify_bundle(opa_binary, strip_signature(shipped_bundle.path, tmp_path / "bare.tar.gz"))


def test_memory_limit(host: HostOpa, monkeypatch: pytest.MonkeyPatch) -> None:
    """OPA gets the limit of its owner, and that of the environment in its place."""
    limited = replace(host, memory_limit="192MiB")
    for inherited, expected in ((None, "192MiB"), ("1GiB", "1GiB")):
        monkeypatch.delenv("GOMEMLIMIT", raising=False)
        if inherited:
            monkeypatch.setenv("GOMEMLIMIT", inherited)
        limited.ensure_running()
        state = limited.read_launch_record()
        assert state is not None
        environment = Path(f"/proc/{state['pid']}/environ").read_text(encoding="utf-8").split("\0")
        limited.stop()
        assert f"GOMEMLIMIT={expected}" in environment
