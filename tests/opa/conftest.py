"""A small signed bundle (the verdicts of `policy/decision.rego` and Warden's own `policies/system`), and OPAs with it."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
POLICIES = HERE.parent.parent / "policies"


@dataclass(frozen=True)
class Key:
    """An HS256 key, as the bundle's own."""

    id: str
    secret: str
    algorithm: str = "HS256"

    def verification(self) -> str:
        return self.secret


@dataclass(frozen=True)
class SmallBundle:
    """What LocalOpa needs of a bundle."""

    path: Path
    revision: str
    key: Key


KEY = Key("test", "a secret of these tests")
OTHER_KEY = Key("test", "a secret of somebody else")


def build(opa: Path, directory: Path, revision: str, *, key: Key = KEY, rules: str = "") -> SmallBundle:
    """Build and sign a bundle; `rules` is added to its package kafka."""
    source, path = directory / f"source-{revision}", directory / "bundle.tar.gz"
    shutil.copytree(HERE / "policy", source)
    shutil.copytree(POLICIES / "system", source / "system", ignore=shutil.ignore_patterns("*_test.rego"))
    (source / "more.rego").write_text(f"package kafka\n{rules}")
    (source / ".manifest").write_text(json.dumps({"roots": ["kafka", "catalog", "system/authz", "system/log"]}))
    (source / "data.json").write_text(json.dumps({"catalog": {"rules": {"KFK-1": {"title": "one"}}}}))
    made = directory / f"made-{revision}.tar.gz"
    _run(opa, "build", "-b", source, "-r", revision, "--signing-key", key.secret, "--signing-alg", key.algorithm, "-o", made)  # fmt: skip
    made.replace(path)
    return SmallBundle(path, revision, key)


def _run(*command: object) -> None:
    subprocess.run([str(part) for part in command], check=True, capture_output=True)


def alive(pid: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.fixture(scope="session")
def opa_binary() -> Path:
    from warden.toolchain.opa import find_opa

    return find_opa()


@pytest.fixture(scope="session")
def small_bundle(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> SmallBundle:
    return build(opa_binary, tmp_path_factory.mktemp("bundle"), "r1")


@pytest.fixture(scope="session")
def local_opa(opa_binary: Path, small_bundle: SmallBundle) -> Iterator[Any]:
    from warden.opa.server import LocalOpa

    with LocalOpa(small_bundle, opa=opa_binary) as opa:
        yield opa
