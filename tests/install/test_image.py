"""The image's layer is the same twice, its lock serves each platform, and OPA is made of the pinned sources."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.utils import parse_wheel_filename

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.image import DOCKERFILE, BuiltImage, build_image, read_stage
from tools.locks import IMAGE_LOCK
from warden.base.toolchain.cache import hash_file

pytestmark = pytest.mark.install


def test_two_builds_are_one_layer(built_image: BuiltImage, tmp_path: Path) -> None:
    """All steps taken twice, at the same path as in a container, make the same archive, to the byte."""
    kept = built_image.root.rename(tmp_path / "first")
    try:
        again = build_image(built_image.root, tmp_path / "second")
    finally:
        shutil.rmtree(built_image.root, ignore_errors=True)
        kept.rename(built_image.root)

    names = sorted({*built_image.files, *again.files})
    assert [] == [name for name in names if built_image.files.get(name) != again.files.get(name)]
    assert built_image.layer == again.layer
    assert built_image.wheel == again.wheel
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
    wheels = {str(parse_wheel_filename(wheel.name)[0]): hash_file(wheel) for wheel in tmp_path.glob("*.whl")}
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
        sums.append(hash_file(tmp_path / "opa"))
        (tmp_path / "opa").unlink()
    assert sums[0] == sums[1]

    done = build(SOURCES="h1:other")
    assert (1, False) == (done.returncode, (tmp_path / "opa").exists())
    assert environment["SOURCES"] in done.stdout, "what the sources are is said"
