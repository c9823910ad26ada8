"""The image's layer is the same twice, its lock serves each platform, and OPA is made of the pinned sources."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from packaging.utils import parse_wheel_filename

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.image import DOCKERFILE, build_image, read_stage
from tools.locks import IMAGE_LOCK
from warden.base.toolchain.cache import sha256

pytestmark = pytest.mark.install


def _write_layer(directory: Path, archive: Path) -> dict[str, str]:
    """Write a tar of a directory, sorted and without times and owners, and return the digest of each file."""

    def strip(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.mtime = member.uid = member.gid = 0
        member.uname = member.gname = ""
        return member

    paths = sorted(directory.rglob("*"))
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as layer:
        for path in paths:
            layer.add(path, str(path.relative_to(directory)), recursive=False, filter=strip)
    return {str(path.relative_to(directory)): sha256(path) for path in paths if path.is_file()}


def test_two_builds_are_one_layer(tmp_path):
    """All steps taken twice, at the same path as in a container, make the same archive, to the byte."""
    root = tmp_path / "image"
    built, wheels = [], []
    for turn in ("first", "second"):
        built.append(_write_layer(build_image(root), tmp_path / turn))
        wheels += [sha256(wheel) for wheel in root.glob("src/dist/*.whl")]
        shutil.rmtree(root)

    names = sorted({*built[0], *built[1]})
    assert [] == [name for name in names if built[0].get(name) != built[1].get(name)]
    assert sha256(tmp_path / "first") == sha256(tmp_path / "second")
    assert (2, 1) == (len(wheels), len(set(wheels)))
    assert [] == [name for name in names if re.match(r"bin/pip|.*/site-packages/pip/", name)]


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_every_package_is_a_wheel_for_the_image(machine, tmp_path):
    """For the image's Python and its C library, on each processor, with a hash of the lock."""
    python = re.search(r"python:(\d+\.\d+)\.\d+-slim-bookworm@", DOCKERFILE)
    assert python
    platforms = [f"manylinux_2_{minor}_{machine}" for minor in range(17, 37)]  # bookworm has glibc 2.36
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    options += [
        "--python-version",
        python[1],
        *(f"--platform={one}" for one in [*platforms, f"manylinux2014_{machine}"]),
    ]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", tmp_path, "--requirement"]
    done = subprocess.run([*command, CHECKOUT / IMAGE_LOCK], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    locked = (CHECKOUT / IMAGE_LOCK).read_text(encoding="utf-8")
    wheels = {str(parse_wheel_filename(wheel.name)[0]): sha256(wheel) for wheel in tmp_path.glob("*.whl")}
    assert set(re.findall(r"^([\w-]+)==", locked, re.MULTILINE)) == set(wheels)
    assert [] == [name for name, one in wheels.items() if f"--hash=sha256:{one}" not in locked]


@pytest.mark.skipif(shutil.which("go") is None, reason="the stage builds OPA with Go, which is not on PATH")
def test_opa_is_of_the_pinned_sources(tmp_path):
    """The stage's command builds from the checked sources, twice the same; other sources are refused."""
    steps = read_stage("built-opa")
    environment = dict(os.environ)
    environment |= dict(
        setting.split("=", 1) for word, rest in steps if word in {"ARG", "ENV"} for setting in rest.split()
    )
    (command,) = (rest for word, rest in steps if word == "RUN")
    command = command.replace("/sources.json", "sources.json").replace("-o /opa", f"-o {tmp_path}/opa")

    def build(**others: str) -> subprocess.CompletedProcess[str]:
        own = {**environment, **others}
        return subprocess.run(
            ["sh", "-ec", command], cwd=tmp_path, env=own, capture_output=True, text=True, check=False
        )

    sums = []
    for _ in range(2):
        done = build()
        assert done.returncode == 0, done.stderr
        sums.append(sha256(tmp_path / "opa"))
        (tmp_path / "opa").unlink()
    assert sums[0] == sums[1]

    done = build(SOURCES="h1:other")
    assert (1, False) == (done.returncode, (tmp_path / "opa").exists())
    assert environment["SOURCES"] in done.stdout, "what the sources are is said"
