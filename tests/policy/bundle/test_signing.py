"""Keys that sign bundles: the local one, and those given for production."""

import multiprocessing
import stat
import subprocess
from pathlib import Path

import pytest

from tests.fixtures.patience import PATIENCE
from warden.base.errors import ConfigurationError
from warden.policy.bundle import SigningKey, build_bundle
from warden.policy.bundle.signing import obtain_local_key


def test_the_local_key_is_made_once_and_is_secret(tmp_path):
    """The same secret every time, which nobody else can read."""
    first = obtain_local_key(tmp_path / "cache")
    secret = first.path.read_text(encoding="utf-8")
    again = obtain_local_key(tmp_path / "cache")

    assert SigningKey(tmp_path / "cache/bundle-signing.key", "HS256") == first == again
    assert 64 == len(secret)
    assert secret == again.path.read_text(encoding="utf-8")
    assert 0o600 == stat.S_IMODE(first.path.stat().st_mode)
    assert ["bundle-signing.key"] == [path.name for path in first.path.parent.iterdir()]


def _make_key(
    directory: Path, barrier: "multiprocessing.synchronize.Barrier", secrets: "multiprocessing.Queue[str]"
) -> None:
    barrier.wait()
    secrets.put(obtain_local_key(directory).path.read_text(encoding="utf-8"))


@pytest.mark.process
def test_processes_that_start_at_once_sign_with_one_key(tmp_path):
    """Whoever is first makes the key; the others use it."""
    context = multiprocessing.get_context("fork")
    barrier, secrets = context.Barrier(4), context.Queue()
    processes = [context.Process(target=_make_key, args=(tmp_path / "cache", barrier, secrets)) for _ in range(4)]
    for process in processes:
        process.start()
    found = [secrets.get(timeout=PATIENCE) for _ in processes]
    for process in processes:
        process.join()

    assert [(tmp_path / "cache/bundle-signing.key").read_text(encoding="utf-8")] * 4 == found


@pytest.mark.parametrize(
    ("name", "algorithm", "sentence"),
    [
        ("nowhere.pem", "RS256", r"^signing key .*nowhere\.pem cannot be read: name a file with the key$"),
        ("key", "none", r"^unknown signing algorithm none: write one of HS256, "),
        ("key", "hs256", r"^unknown signing algorithm hs256: write HS256, the nearest of HS256, "),
    ],
)
def test_a_key_that_cannot_sign(tmp_path, name, algorithm, sentence):
    """A missing file and an algorithm that OPA lacks are said at once."""
    (tmp_path / "key").write_text("secret", encoding="utf-8")

    with pytest.raises(ConfigurationError, match=sentence):
        SigningKey(tmp_path / name, algorithm)


@pytest.mark.parametrize(
    ("algorithm", "symmetric"), [("HS256", True), ("RS256", False), ("ES256", False), ("PS512", False)]
)
def test_symmetric(tmp_path, algorithm, symmetric):
    """Only with HS algorithms the one secret signs and verifies."""
    (tmp_path / "key").write_text("secret", encoding="utf-8")

    assert symmetric is SigningKey(tmp_path / "key", algorithm).symmetric


def _pair(directory: Path, kind: list[str]) -> tuple[Path, Path]:
    private, public = directory / "private.pem", directory / "public.pem"
    subprocess.run(["openssl", "genpkey", *kind, "-out", str(private)], check=True, capture_output=True)
    subprocess.run(
        ["openssl", "pkey", "-in", str(private), "-pubout", "-out", str(public)], check=True, capture_output=True
    )
    return private, public


def _verifies(opa: Path, bundle: Path, key: Path, algorithm: str) -> bool:
    """Ask `opa build`, which verifies what it reads as `opa run` does, and ends by itself."""
    arguments = ["--bundle", str(bundle), "--verification-key", str(key), "--signing-alg", algorithm]
    done = subprocess.run(
        [str(opa), "build", *arguments, "--output", str(bundle.with_suffix(".again"))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 or "failed to verify JWT signature" in done.stdout + done.stderr, (
        done.stdout + done.stderr
    )
    return done.returncode == 0


@pytest.mark.opa
@pytest.mark.parametrize(
    ("algorithm", "kind"),
    [
        ("RS256", ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]),
        ("ES256", ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]),
    ],
)
def test_a_pair_of_keys(opa_binary, tmp_path, algorithm, kind):
    """OPA verifies with the public key what the private one signed, and with no other."""
    private, public = _pair(tmp_path, kind)
    (tmp_path / "other").mkdir()
    _, other = _pair(tmp_path / "other", kind)

    bundle = build_bundle(tmp_path / "bundle.tar.gz", key=SigningKey(private, algorithm), opa=opa_binary)

    assert _verifies(opa_binary, bundle.path, public, algorithm)
    assert not _verifies(opa_binary, bundle.path, other, algorithm)


@pytest.mark.opa
def test_a_shared_secret(opa_binary, tmp_path):
    """OPA verifies with the secret of the local key, and with no other."""
    bundle = build_bundle(tmp_path / "bundle.tar.gz", opa=opa_binary)
    wrong = tmp_path / "wrong"
    wrong.write_text("0" * 64, encoding="utf-8")

    assert ("HS256", 0o600) == (bundle.key.algorithm, stat.S_IMODE(bundle.key.path.stat().st_mode))
    assert _verifies(opa_binary, bundle.path, bundle.key.path, "HS256")
    assert not _verifies(opa_binary, bundle.path, wrong, "HS256")


@pytest.mark.opa
@pytest.mark.parametrize(
    ("text", "algorithm", "kind", "words"),
    [
        ("no key", "RS256", r"private key \(PEM\)", "failed to parse PEM block containing the key"),
        ("", "HS256", "shared secret", "failed to import private key.*"),
    ],
)
def test_a_file_that_is_no_key(opa_binary, tmp_path, text, algorithm, kind, words):
    """It is the key that is refused, not the policies, and nothing is left behind."""
    key = tmp_path / "key.pem"
    key.write_text(text, encoding="utf-8")

    said = rf"^opa sign refused signing key {key}: {words}: name a file with a {kind} for {algorithm}$"
    with pytest.raises(ConfigurationError, match=said):
        build_bundle(tmp_path / "out/bundle.tar.gz", key=SigningKey(key, algorithm), opa=opa_binary)

    assert [key] == list(tmp_path.iterdir())
