"""What is printed, where nobody reads it to the end: a decision stays the decision."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.commands.shared.output import build_console

_EXAMPLE = CHECKOUT / "docs" / "examples" / "create-topic.json"
_ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
_ENDLESS = """
from itertools import repeat
from warden.commands.shared.output import print_pieces, tolerate_closed_readers
with tolerate_closed_readers():
    print_pieces(repeat("x" * 9999))
"""
_FULL = """
import sys
from warden.commands.shared.output import tolerate_closed_readers
try:
    with tolerate_closed_readers():
        print("allowed")
except OSError as refused:
    sys.exit(refused.errno)
"""
_FAILING = """
import click
from warden import commands
from warden.base.errors import InputError
def fail(*_arguments, **_options):
    raise {error}
commands.command.main = fail
commands.main([])
"""


def unread(*arguments, **environment):
    """Run Python with a standard output whose reader is gone; return its status and what it said."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as output:
        ran = subprocess.run(
            [sys.executable, *map(str, arguments)],
            env=_ENVIRONMENT | environment,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    return ran.returncode, ran.stderr


@pytest.mark.process
@pytest.mark.parametrize("environment", [{}, {"PYTHONUNBUFFERED": "1"}])
@pytest.mark.parametrize("arguments", [["--help"], ["bundle", "--help"]])
def test_help_that_nobody_reads(arguments, environment):
    """Nothing was denied."""
    assert (0, "") == unread("-m", "warden", *arguments, **environment)


@pytest.mark.opa
def test_a_table_that_nobody_reads(opa_binary):
    """Rich, which draws tables, has an end of its own for that, with 1."""
    assert (0, "") == unread("-m", "warden", "bundle", "profiles", WARDEN_OPA=str(opa_binary))


@pytest.mark.opa
def test_a_table_without_an_output(opa_binary):
    """A standard output that was closed from the beginning is as one that nobody reads."""
    command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "warden", "bundle", "profiles"]
    environment = _ENVIRONMENT | {"WARDEN_OPA": str(opa_binary)}
    ran = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=False)

    assert (0, "") == (ran.returncode, ran.stderr)


@pytest.mark.opa
@pytest.mark.parametrize(("partitions", "status"), [(6, 0), (600, 1)])
@pytest.mark.parametrize("output", ["text", "json"])
def test_a_decision_that_nobody_reads(partitions, status, output, opa, tmp_path):
    """It is the exit status, read or not: in a pipeline an allowed change stays allowed, and a denied one denied."""
    document = json.loads(_EXAMPLE.read_text(encoding="utf-8"))
    document["request"]["numPartitions"] = partitions
    path = tmp_path / "request.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    where = ["--opa-url", opa.url, "--opa-token", opa.tokens.query]

    assert (status, "") == unread("-m", "warden", "decide", *where, "--output", output, path)


@pytest.mark.opa
def test_a_table_for_programs(warden):
    """Where the output is no terminal, a row is a line: grep finds a rule with all of its title."""
    _, printed, _ = warden("rules", "--output", "json")
    expected = [[rule["id"], rule["severity"], rule["mode"], *rule["title"].split()] for rule in json.loads(printed)]
    _, printed, _ = warden("rules")

    assert expected == [line.split() for line in printed.splitlines()[1:]]


def test_a_table_on_a_terminal(monkeypatch):
    """On a terminal it is as wide as that."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "77")

    assert 77 == build_console().width


@pytest.mark.process
def test_an_encoding_that_lacks_a_character():
    """It is escaped: a help and a decision are printed, and the exit status is theirs."""
    ran = subprocess.run(
        [sys.executable, "-m", "warden", "check", "--help"],
        env=_ENVIRONMENT | {"PYTHONIOENCODING": "latin-1"}, capture_output=True, check=False,
    )  # fmt: skip

    assert (0, True, b"") == (ran.returncode, rb"PATH\u2026" in ran.stdout, ran.stderr)


@pytest.mark.opa
@pytest.mark.parametrize(("arguments", "status"), [(["rules"], 0), (["decide", str(_EXAMPLE)], 1)])
def test_a_system_without_utf_8(arguments, status, opa_binary):
    """OPA starts there too, and what it prints is UTF-8 wherever it runs."""
    command = [sys.executable, "-m", "warden", *arguments, "--output", "json"]
    environment = _ENVIRONMENT | {"WARDEN_OPA": str(opa_binary)}
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    here, there = (
        subprocess.run(command, env=environment | other, capture_output=True, check=False) for other in ({}, plain)
    )

    assert (status, here.stdout, b"") == (there.returncode, there.stdout, there.stderr)


@pytest.mark.process
def test_pieces_that_nobody_reads():
    """What takes long to make is made no further."""
    assert (0, "") == unread("-c", _ENDLESS)


def test_a_socket_that_nobody_reads(warden, monkeypatch):
    """A peer that goes away is an error; click would take it for standard output, and end with 1."""

    def broken(*_arguments):
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("warden.policy.bundle.layers.list_profile_views", broken)

    assert (2, "", "warden: the system refuses: [Errno 32] Broken pipe\n") == warden("bundle", "profiles")


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk():
    """What is still in a buffer when a command ends could not be printed either, and Python ended with 120."""
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run([sys.executable, "-c", _FULL], env=_ENVIRONMENT, stdout=full, check=False)

    assert 28 == ran.returncode


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_named():
    """What could not be written is named, with a way out."""
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "warden", "--version"],
            env=_ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip

    said = "[Errno 28] No space left on device: 'standard output': make room there, or write elsewhere"
    assert (2, f"warden: the system refuses: {said}\n") == (ran.returncode, ran.stderr)


@pytest.mark.process
@pytest.mark.parametrize("stderr", ["full", "unread", "closed"])
@pytest.mark.parametrize(
    ("error", "status"),
    [
        ("click.UsageError('no such option')", 2),
        ("InputError('no such file')", 2),
        ("ModuleNotFoundError('pyspark', name='pyspark')", 2),
        ("ModuleNotFoundError('own', name='own')", 2),
        ("OSError(28, 'No space left on device')", 2),
        ("ZeroDivisionError('made up')", 2),
        ("click.Abort()", 130),
    ],
)
def test_an_error_that_nobody_reads(error, status, stderr):
    """An error and a defect stay what they are: Python would end with 1, which means denied, or with 120."""
    if stderr == "full" and not Path("/dev/full").exists():
        pytest.skip("a device of Linux")
    command = [sys.executable, "-c", _FAILING.format(error=error)]
    if stderr == "closed":
        command = ["sh", "-c", 'exec "$@" 2>&-', "sh", *command]
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as unread_pipe, Path("/dev/full" if stderr == "full" else os.devnull).open("wb") as to:
        given = unread_pipe if stderr == "unread" else to
        ran = subprocess.run(command, env=_ENVIRONMENT, stdout=subprocess.PIPE, stderr=given, check=False)

    assert (status, b"") == (ran.returncode, ran.stdout)
