"""The distribution: what is in it, and that it works in environments that have nothing of the checkout."""

import json
import os
import re
import subprocess
import sys
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.base.extras import BROUGHT_BY, DISTRIBUTION
from warden.base.toolchain.cache import hash_file

pytestmark = [pytest.mark.install, pytest.mark.opa]

DIST = CHECKOUT / "dist"


def _run(*command: str | Path, cwd: Path, status: int = 0) -> str:
    environment = {"HOME": str(Path.home()), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    environment |= {
        name: os.environ[name] for name in ("WARDEN_OPA", "WARDEN_CACHE", "JAVA_HOME") if name in os.environ
    }
    done = subprocess.run([*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert status == done.returncode, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel() -> Path:
    """What `make release` makes."""
    done = subprocess.run(
        ["make", "release", f"PYTHON={sys.executable}"], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    (path,) = DIST.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def core(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of an environment without extras."""
    directory = tmp_path_factory.mktemp("core")
    _run(sys.executable, "-m", "venv", "--without-pip", directory / "venv", cwd=directory)
    constraints = CHECKOUT / "build" / "release" / "constraints.txt"
    options = ("--quiet", "--disable-pip-version-check", "--no-compile", "--constraint", constraints)
    pip = (sys.executable, "-m", "pip", "--python", directory / "venv")
    _run(*pip, "install", *options, wheel, cwd=directory)
    return directory / "venv" / "bin"


@pytest.fixture(scope="module")
def whole(wheel: Path) -> Path:
    """The `bin` of the environment with all extras that the release was tried in."""
    assert wheel.exists()
    return CHECKOUT / "build" / "release" / "venv" / "bin"


_SUITE = ("cases.jsonl", "clusters.json", "placement.jsonl", "run.py", "settings.yaml")


def test_the_wheel_holds_the_product(wheel: Path) -> None:
    """And nothing else: no tests, no package but the two; types for those who import it."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        document = message_from_string(archive.read(metadata).decode())
    tops = {name.split("/")[0] for name in names}
    assert {"warden", "spark_jobs", "pyspark_warden"} == {
        top for top in tops if not top.endswith((".dist-info", ".data"))
    }
    data = [name.partition(".data/")[2] for name in names if ".data/" in name]
    assert ["data/share/man/man1/warden.1"] == data
    stems = {name: Path(name).name.split(".")[0] for name in names}  # `warden test` is a command, and no test
    assert [] == [name for name, stem in stems.items() if stem.startswith("test_") or stem.endswith("_test")]
    suite = {f"warden/_share/conformance/{name}" for name in _SUITE}
    assert {"warden/py.typed", "warden/_share/deploy/opa-config.yaml", *suite} <= set(names)
    assert DISTRIBUTION == document["Name"]
    assert [] == re.findall(r"\]\((?!https?://)[^)]*\)", str(document.get_payload())), "relative links lead nowhere"
    assert set(BROUGHT_BY.values()) | {"all"} == set(document.get_all("Provides-Extra", []))


def test_the_manual_is_where_man_looks(core: Path) -> None:
    """Beside the directory of the command, and the page of the checkout."""
    installed = core.parent / "share" / "man" / "man1" / "warden.1"

    assert (CHECKOUT / "docs" / "reference" / "warden.1").read_bytes() == installed.read_bytes()


def test_hashes_and_parts(wheel: Path) -> None:
    """What is beside the wheel fits it: hashes, and what an installation consists of."""
    _run("sha256sum", "--check", "SHA256SUMS", cwd=DIST)
    parts = {part["name"].lower() for part in json.loads((DIST / "sbom.json").read_text())["components"]}
    assert {DISTRIBUTION, "pyspark", "aiohttp", "opa-python-client", "temurin-jre", "kafka-clients"} <= parts
    image = {part["name"]: part for part in json.loads((DIST / "sbom-image.json").read_text())["components"]}
    assert hash_file(wheel) == image[DISTRIBUTION]["hashes"][0]["content"]
    assert wheel.name in (DIST / "SHA256SUMS").read_text()


_CONFIG = "x.yaml"


@pytest.mark.parametrize(
    ("arguments", "extras"),
    [
        ("run", "spark"),
        ("demo", "kafka,replicator,spark"),
        ("scan .", "spark"),
        ("impact", "spark"),
        ("trend", "spark"),
        ("report .", "spark"),
        ("upgrade-check . --from 3.9 --to 4.3 --out out --opa-url http://localhost:9", "spark"),
        ("snapshot --bootstrap-server localhost:9 --out out", "kafka,spark"),
        ("snapshot --bootstrap-server localhost:9 --out out --format jsonl", "kafka"),
        ("topics delete --bootstrap-server localhost:9 --topic a", "kafka"),
        ("gateway --config x.yaml", "kafka,replicator"),
        ("serve --config x.yaml", "kafka,replicator"),
        ("webhook --config x.yaml --certificate x.yaml --key x.yaml", "replicator"),
    ],
)
def test_what_is_missing_is_one_sentence(core: Path, tmp_path: Path, arguments: str, extras: str) -> None:
    """Every command that needs more than the core names the extra, before it begins; aiohttp is OPA's client's too."""
    (tmp_path / _CONFIG).write_text("{}")
    said = _run(core / "warden", *arguments.split(), cwd=tmp_path, status=2)
    assert f"pip install '{DISTRIBUTION}[{extras}]'" in said, said
    assert "Traceback" not in said


_PROGRAM = """
from warden import Decision


def allowed(decision: Decision) -> bool:
    return decision.allowed
"""


def test_types_are_seen(whole: Path, tmp_path: Path) -> None:
    """A user's program is checked against ours."""
    (tmp_path / "program.py").write_text(_PROGRAM)
    _run(sys.executable, "-m", "mypy", "--strict", "--python-executable", whole / "python", "program.py", cwd=tmp_path)


@pytest.mark.parametrize("environment", ["core", "whole"])
def test_a_decision(request: pytest.FixtureRequest, environment: str, tmp_path: Path) -> None:
    """In an empty directory, from what is in the wheel alone."""
    warden = request.getfixturevalue(environment) / "warden"
    example = (CHECKOUT / "docs" / "examples" / "create-topic.json").read_text()
    (tmp_path / "input.json").write_text(example)
    assert "KFK-" in _run(warden, "decide", "input.json", cwd=tmp_path, status=1)
    _run(warden, "bundle", "build", cwd=tmp_path)
    assert [*tmp_path.glob("build/*.tar.gz")]
    assert str(CHECKOUT) not in _run(warden, "--help", cwd=tmp_path)


_ONE_FILE_COMMANDS = (("decide", "input.json", 1), ("explain", "input.json", 0), ("check", "topic.yaml", 1))


def _find_program() -> Path:
    """The one executable file, beside which the plugin of brokers lies."""
    (program,) = (path for path in DIST.glob("warden-*") if path.suffix != ".jar")
    return program


@pytest.mark.parametrize("home", ["home", "/proc/no-directory-can-be-made-here"])
def test_one_file(wheel: Path, tmp_path: Path, home: str) -> None:
    """With nothing but a Python of the machine: no OPA on PATH, no cache, and where no home can be written."""
    assert wheel.exists()
    program = _find_program()
    example = (CHECKOUT / "docs" / "examples" / "create-topic.json").read_text()
    (tmp_path / "input.json").write_text(example)
    (tmp_path / "topic.yaml").write_text(_TOPIC)
    python = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    environment = {"HOME": str(tmp_path / home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    for *arguments, status in _ONE_FILE_COMMANDS:
        command = [str(part) for part in (python, "-I", program, *arguments)]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert (status, True) == (done.returncode, "KFK-" in done.stdout), (arguments, done.stdout, done.stderr)
    assert ["home"] * (home == "home") == [path.name for path in tmp_path.iterdir() if path.is_dir()]


def test_one_file_builds_nothing(wheel: Path, opa_binary: Path, tmp_path: Path) -> None:
    """It has the bundle of the shipped settings: OPA signs it at the first use, and only decides at the second."""
    assert wheel.exists()
    program = _find_program()
    opa, calls = tmp_path / "opa", tmp_path / "calls"
    opa.write_text(f'#!/bin/sh\necho "$1" >>{calls}\nexec {opa_binary} "$@"\n', encoding="utf-8")
    opa.chmod(0o755)
    (tmp_path / "topic.yaml").write_text(_TOPIC)
    environment = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "WARDEN_OPA": str(opa)}
    for expected in (["version", "sign", "run"], ["version", "sign", "run", "run"]):
        command = [sys.executable, "-I", str(program), "check", "topic.yaml"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert (1, expected) == (done.returncode, calls.read_text().split()), done.stderr


_TOPIC = """
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: orders.v1, labels: {strimzi.io/cluster: prod}}
spec: {partitions: 6, replicas: 1}
"""


@pytest.mark.spark
def test_a_scan(whole: Path, tmp_path: Path) -> None:
    """The embedded estate, with the Spark of the environment."""
    _run(whole / "warden", "run", "--topics", "500", cwd=tmp_path)
    assert [*tmp_path.glob("build/runs/*/findings")]
