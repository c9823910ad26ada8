"""An OPA of one's own: bundles good and bad, restarts, ports, and deaths."""

import gzip
import os
import shutil
import signal
import socket
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from tests.fixtures.conditions import eventually
from tests.policy.opa.bundles import alive, build, secret_key
from warden.base.errors import ConfigurationError, OpaRefused, OpaUnreachable, ToolchainError
from warden.policy.bundle.signing import SigningKey
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

YES = {"say": "yes"}


def status(opa):
    with opa.build_client(opa.tokens.admin) as admin:
        return admin.read_status()["bundles"]["warden"]


def revision(opa):
    with opa.build_client() as client:
        return client.read_revision()


@pytest.fixture
def bundle(opa_binary, tmp_path):
    return build(opa_binary, tmp_path, "good")


def test_a_new_bundle_is_taken_up(opa_binary, bundle):
    """A rebuilt bundle decides without a restart."""
    with LocalOpa(bundle, opa=opa_binary) as opa:
        assert "good" == revision(opa)
        build(opa_binary, bundle.path.parent, "better")

        eventually(lambda: revision(opa) == "better", "the new bundle never decided")


def tamper(opa_binary, bundle):
    """Change one byte of a rule inside the archive and leave the signature as it is."""
    out = BytesIO()
    with tarfile.open(bundle.path) as old, tarfile.open(fileobj=out, mode="w") as new:
        for member in old.getmembers():
            file = old.extractfile(member)
            assert file is not None
            content = file.read()
            if member.name.endswith("/decision.rego"):
                assert b'"yes"' in content
                content = content.replace(b'"yes"', b'"yet"', 1)
            new.addfile(member, BytesIO(content))
    replace(bundle, gzip.compress(out.getvalue()))
    return "digest mismatch"


def sign_with_another_key(opa_binary, bundle):
    other = bundle.path.parent / "other"
    other.mkdir()
    theirs = build(opa_binary, other, "theirs", key=secret_key(other, "a secret of somebody else"))
    replace(bundle, theirs.path.read_bytes())
    return "signature"


def leave_unsigned(opa_binary, bundle):
    unsigned = bundle.path.with_name("unsigned.tar.gz")
    source = bundle.path.parent / "source-good"
    subprocess.run([opa_binary, "build", "-b", source, "-o", unsigned], check=True, capture_output=True)
    replace(bundle, unsigned.read_bytes())
    return "bundle missing .signatures.json file"


def cut_off(opa_binary, bundle):
    replace(bundle, bundle.path.read_bytes()[:-100])
    return "unexpected EOF"


def replace(bundle, content):
    new = bundle.path.with_suffix(".new")
    new.write_bytes(content)
    new.replace(bundle.path)


@pytest.mark.parametrize("spoil", [tamper, sign_with_another_key, leave_unsigned, cut_off])
def test_a_bad_bundle_is_refused(opa_binary, bundle, spoil):
    """The last good bundle goes on deciding, status says why, and a good one is taken up again."""
    with LocalOpa(bundle, opa=opa_binary) as opa:
        reason = spoil(opa_binary, bundle)
        said = eventually(lambda: status(opa).get("message"), "the bad bundle was not refused")

        assert reason in said
        assert ("good", "good") == (status(opa)["active_revision"], revision(opa))
        with opa.build_client() as client:
            assert client.decide(YES)["allowed"]

        build(opa_binary, bundle.path.parent, "again")
        eventually(lambda: revision(opa) == "again", "the good bundle was not taken up")
        eventually(lambda: "message" not in status(opa), "the status goes on telling of the bad bundle")


def test_the_last_good_bundle_outlives_a_restart(opa_binary, bundle):
    """With the bundle gone, or a bad one in its place, the one on disk decides; port and tokens stay."""
    with LocalOpa(bundle, opa=opa_binary) as opa, opa.build_client() as client:
        assert client.decide(YES)["allowed"]
        before = (opa.url, opa.tokens, opa.pid)
        bundle.path.unlink()
        opa.restart()

        assert (before[:2], True) == ((opa.url, opa.tokens), before[2] != opa.pid)
        assert ("good", True) == (client.read_revision(), client.decide(YES)["allowed"])

        bundle.path.write_bytes(b"not a bundle")
        opa.restart()
        assert ("good", True) == (client.read_revision(), client.decide(YES)["allowed"])


def test_a_first_bundle_that_is_bad(opa_binary, bundle):
    """Without a last good bundle nothing is decided: starting fails at once, and says what OPA said."""
    sign_with_another_key(opa_binary, bundle)
    opa = LocalOpa(bundle, opa=opa_binary)
    with pytest.raises(OpaUnreachable, match=rf"^OPA refuses {bundle.path}: .*signature"), opa:
        pytest.fail("it started")

    assert not opa.directory.exists()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the keys")
def test_asymmetric_signatures(opa_binary, tmp_path):
    """A bundle signed with a private key is verified with the public one, and only with that."""
    private, public, other = (tmp_path / name for name in ("private.pem", "public.pem", "other.pem"))
    for command in (
        ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", private],
        ["openssl", "ec", "-in", private, "-pubout", "-out", public],
        ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", tmp_path / "x.pem"],
        ["openssl", "ec", "-in", tmp_path / "x.pem", "-pubout", "-out", other],
    ):
        subprocess.run(command, check=True, capture_output=True)
    bundle = build(opa_binary, tmp_path, "signed", key=SigningKey(private, "ES256", "prod.2026"))

    with LocalOpa(bundle, opa=opa_binary, public_key=public) as opa:
        assert "signed" == revision(opa)
    with pytest.raises(OpaUnreachable, match="OPA refuses"), LocalOpa(bundle, opa=opa_binary, public_key=other):
        pytest.fail("it started")
    with pytest.raises(ConfigurationError, match="signed with ES256: give the public key"):
        LocalOpa(bundle, opa=opa_binary)


def test_the_port_is_in_use(opa_binary, bundle):
    """A port that somebody has is named, and nothing is left behind."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        opa = LocalOpa(bundle, opa=opa_binary, port=port)
        with pytest.raises(ConfigurationError) as caught, opa:
            pytest.fail("it started")

    assert f"port {port} of 127.0.0.1 is in use: stop what listens there, or give another port" == str(caught.value)
    assert not opa.directory.exists()


def test_a_program_that_is_not_opa(bundle, tmp_path):
    """What cannot be run, and what runs and ends, are kept apart."""
    with pytest.raises(ToolchainError, match="cannot be started"), LocalOpa(bundle, opa=tmp_path / "nothing"):
        pytest.fail("it started")
    with (
        pytest.raises(OpaUnreachable, match=r"^OPA ended before it was ready: "),
        LocalOpa(bundle, opa=Path("/bin/false")),
    ):
        pytest.fail("it started")


def test_opa_knows_every_option(local_opa):
    """OPA warns of options that it does not know, and then ignores them."""
    warnings = [line for line in local_opa.log.read_text().splitlines() if '"warning"' in line]

    assert [] == [line for line in warnings if "root privileges" not in line]


def test_loopback_only(local_opa):
    """OPA listens on 127.0.0.1 alone."""
    port = int(local_opa.url.rpartition(":")[2])
    listening = [
        line.split()[1].split(":")[0]
        for table in ("/proc/net/tcp", "/proc/net/tcp6")
        for line in Path(table).read_text().splitlines()[1:]
        if line.split()[3] == "0A" and int(line.split()[1].rpartition(":")[2], 16) == port
    ]

    assert ["0100007F"] == listening


def test_an_opa_that_is_killed(opa_binary, bundle):
    """An OPA that dies under us can be started again."""
    with LocalOpa(bundle, opa=opa_binary) as opa:
        os.kill(opa.pid, signal.SIGKILL)
        eventually(lambda: not alive(opa.pid), "it did not die")
        opa.restart()
        with opa.build_client() as client:
            assert client.decide(YES)["allowed"]


def test_nobody_elses_opa_is_taken_for_ours(opa_binary, bundle):
    """An OPA with other tokens on our port is not ours, however healthy."""
    with LocalOpa(bundle, opa=opa_binary) as other, OpaClient(other.url, token="not theirs") as client:
        assert client.is_healthy()
        with pytest.raises(OpaRefused, match="no valid token"):
            client.read_revision()


def test_the_environment_is_not_passed_on(opa_binary, bundle, monkeypatch):
    """Policies can read OPA's environment, so OPA gets what it needs and no more."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hunter22")
    with LocalOpa(bundle, opa=opa_binary) as opa:
        names = {entry.partition("=")[0] for entry in Path(f"/proc/{opa.pid}/environ").read_text().split("\0") if entry}

    needed = {
        "GOGC",
        "GOMAXPROCS",
        "GOMEMLIMIT",
        "HOME",
        "PATH",
        "TMPDIR",
        "TZ",
        "LC_CTYPE",
    }  # the last is Python's own
    assert set() == {name for name in names if not name.startswith("WARDEN_")} - needed
