"""Small signed bundles: `policy/decision.rego` and Warden's own `policies/system`."""

import json
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from tests.fixtures.checkout import CHECKOUT
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.signing import SigningKey

HERE = Path(__file__).parent
POLICIES = CHECKOUT / "policies"


def build(opa: Path, directory: Path, revision: str, *, key: SigningKey | None = None, rules: str = "") -> Bundle:
    """Build and sign `bundle.tar.gz` in `directory`; `rules` is added to its package kafka."""
    key = key or secret_key(directory)
    source, path = directory / f"source-{revision}", directory / "bundle.tar.gz"
    shutil.copytree(HERE / "policy", source)
    shutil.copytree(POLICIES / "system", source / "system", ignore=shutil.ignore_patterns("*_test.rego"))
    (source / "more.rego").write_text(f"package kafka\n{rules}")
    (source / ".manifest").write_text(json.dumps({"roots": ["kafka", "catalog", "system/authz", "system/log"]}))
    (source / "data.json").write_text(json.dumps({"catalog": {"rules": {"KFK-1": {"title": "one"}}}}))
    made = directory / f"made-{revision}.tar.gz"
    signing = ("--signing-key", key.path, "--signing-alg", key.algorithm)
    _run(opa, "build", "-b", source, "-r", revision, "-o", made, *signing)
    made.replace(path)
    return Bundle(path, revision, key)


def secret_key(directory: Path, secret: str = "a secret of these tests") -> SigningKey:
    """Return an HS256 key; OPA knows it as `test`."""
    path = directory / f"{secret}.key"
    path.write_text(secret)
    return SigningKey(path, "HS256", "test")


def _run(*command: object) -> None:
    subprocess.run([str(part) for part in command], check=True, capture_output=True)


def alive(pid: int) -> bool:
    """Whether a process runs (a zombie does not); one that ends while it is evaluated does not either."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def process_at(url: str) -> int:
    """The process id of the OPA that was started at an address of this machine."""
    address = f"--addr=127.0.0.1:{url.rpartition(':')[2]}".encode()
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0") if process.name.isdigit() else []
            if address in words and words[1] == b"run":
                return int(process.name)
    raise AssertionError(f"no OPA at {url}")
