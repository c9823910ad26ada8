"""Units for systemd: systemd itself takes them, and Warden and OPA the command lines in them."""

import configparser
import os
import shlex
import shutil
import subprocess
from importlib import import_module
from pathlib import Path

import click
import pytest
import yaml

from tests.fixtures.checkout import CHECKOUT

pytestmark = pytest.mark.process

UNITS = sorted((CHECKOUT / "deploy/systemd").glob("*.service"))
INSTALLED = "/opt/warden"


@pytest.fixture(params=UNITS, ids=lambda path: path.stem)
def unit(request) -> Path:
    """Each of them."""
    return Path(request.param)


def _command(unit: Path) -> list[str]:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # as its documentation has it
    parser.read_string(unit.read_text(encoding="utf-8"))
    return shlex.split(parser["Service"]["ExecStart"])


@pytest.fixture
def analyze() -> str:
    """The program that checks units."""
    found = shutil.which("systemd-analyze")
    if found is None:
        pytest.skip("systemd-analyze is not on PATH: install systemd to have units checked")
    return found


def test_systemd_takes_it(unit, analyze, tmp_path):
    """Without a word about it, where the programs are there."""
    for program in ("bin/opa", "bin/warden", "share/front/front.sh"):
        (tmp_path / program).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / program).touch(mode=0o755)
    copies = {path.name: path.read_text(encoding="utf-8").replace(INSTALLED, str(tmp_path)) for path in UNITS}
    for name, text in copies.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [analyze, "verify", "--man=no", str(tmp_path / unit.name)], capture_output=True, text=True, check=False
    )
    assert (0, []) == (done.returncode, [line for line in done.stderr.splitlines() if "warden-" in line])


def test_little_is_left_to_do(unit, analyze):
    """By systemd's own count of what a process may do, from 0 to 10, at most 1.5."""
    command = [analyze, "security", "--offline=yes", "--threshold=15", "--no-pager", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-400:] + done.stderr


def test_the_command_line(unit, tmp_path):
    """Warden's own parser takes it; OPA's options are those that its StatefulSet runs with (tests/k8s/deploy)."""
    program, *arguments = _command(unit)
    if program == f"{INSTALLED}/share/front/front.sh":  # tests/deploy/test_front.py runs it
        assert ([], True) == (arguments, os.access(CHECKOUT / "deploy/front/front.sh", os.X_OK))
        return
    if arguments[:3] == ["opa", "watch", "--"]:
        assert program == f"{INSTALLED}/bin/warden"
        program, *arguments = arguments[3:]
    if program == f"{INSTALLED}/bin/opa":
        text = (CHECKOUT / "deploy/kubernetes/base/opa.yaml").read_text(encoding="utf-8")
        [run] = [one for one in yaml.safe_load_all(text) if one["kind"] == "StatefulSet"]
        [container] = run["spec"]["template"]["spec"]["containers"]
        known = {argument.partition("=")[0] for argument in [*container["command"][1:], *container["args"]]}
        assert {argument.partition("=")[0] for argument in arguments} <= known
        return
    assert program == f"{INSTALLED}/bin/warden"
    name, *options = arguments
    (tmp_path / f"{name}.yaml").touch()
    command = import_module(f"warden.commands.{name}").command
    assert isinstance(command, click.Command)
    files = [option.replace("/etc/warden/replicator.yaml", f"{tmp_path}/replicate.yaml") for option in options]
    context = command.make_context(name, [option.replace("/etc/warden", str(tmp_path)) for option in files])
    assert context.params["config"].exists()
    assert context.params["listen"].startswith("127.0.0.1:")
