"""What ends a command, and with which exit status: a decision, an error, a defect are three things."""

import io
import os
import sys
from pathlib import Path

import pytest

from tools.pages.manual import iter_commands
from warden.base.errors import InputError
from warden.commands import COMMANDS
from warden.policy.opa.session import OpaOptions


@pytest.fixture
def document(tmp_path):
    path = tmp_path / "request.json"
    path.write_text("{}")
    return str(path)


def test_a_defect_is_no_decision(warden, document, monkeypatch):
    """Python's own exit status of a trace is 1, which means denied: here it is that of an error, with the trace."""

    def broken(*_arguments):
        raise ZeroDivisionError("made up")

    monkeypatch.setattr("warden.policy.opa.session.open_session", broken)
    status, printed, said = warden("decide", document)

    assert (2, "") == (status, printed)
    assert "ZeroDivisionError: made up" in said
    assert said.endswith("warden: a defect of Warden, and no decision: please report the lines above\n")


def test_what_the_system_refuses_is_an_error(warden, document, monkeypatch):
    """Neither a decision nor a defect: one sentence."""

    def broken(*_arguments):
        raise OSError(28, "No space left on device", "/runs")

    monkeypatch.setattr("warden.policy.opa.session.open_session", broken)

    said = "[Errno 28] No space left on device: '/runs': make room there, or write elsewhere"
    assert (2, "", f"warden: the system refuses: {said}\n") == warden("decide", document)


@pytest.mark.parametrize("option", [["--profile", "production"], ["--settings", __file__]])
def test_an_opa_that_runs_has_its_settings(warden, document, option):
    """What would be passed over in silence is refused: the OPA that runs decides by its own settings."""
    status, _, said = warden("decide", "--opa-url", "http://127.0.0.1:1", *option, document)

    assert 2 == status
    assert said.startswith(
        f"warden: {option[0]} is for the OPA that is started here: leave out --opa-url (WARDEN_OPA_URL), or {option[0]}"
    )


@pytest.mark.parametrize(
    ("options", "environment"),
    [
        (["--opa-url", "U", "--opa-token", "T"], {}),
        ([], {"WARDEN_OPA_URL": "U", "WARDEN_OPA_QUERY_TOKEN": "T"}),
        ([], {"WARDEN_DECIDE_OPA_URL": "U", "WARDEN_DECIDE_OPA_TOKEN": "T"}),
    ],
)
def test_names_come_from_the_opa_of_the_command(options, environment, warden, document, monkeypatch):
    """One pair of options for all commands, each with a variable of all commands and one of its own."""
    opas = []

    def asking(opa):
        opas.append(opa)
        raise InputError("that will do")

    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("warden.policy.opa.session.open_session", asking)

    assert (2, "", "warden: that will do\n") == warden("decide", *options, document)
    assert [OpaOptions(("U",), "T")] == opas


def test_help_has_every_command_whole(warden):
    """In sections of which the first is for who begins, and no line is cut."""
    _, printed, _ = warden("--help")
    sections = [line for line in printed.splitlines() if line.endswith(":") and not line.startswith(" ")]
    listed = [line.split()[0] for line in printed.partition("Start here:")[2].splitlines() if line[:3].strip()]

    assert ["Start here:", "Decide on a change:", "Look at an estate:", "Write policy:", "Run it:"] == sections[-5:]
    assert sorted(COMMANDS) == sorted(name for name in listed if name in COMMANDS)
    assert "..." not in printed.partition("Start here:")[2]


@pytest.mark.parametrize("path", [each.path for each in iter_commands()])
def test_help_is_whole(path, warden):
    """Examples stand in lines of their own, and no command of a group is cut: for all commands and groups."""
    status, printed, _ = warden(*path.split()[1:], "--help")

    assert 0 == status
    assert "\\b" not in printed
    assert not [line for line in printed.partition("\nCommands:\n")[2].splitlines() if "..." in line]


def test_one_name_in_the_help(warden):
    """The former names are not offered."""
    _, printed, _ = warden("decide", "--help")

    assert {"--opa-url", "--opa-token"} == {word for word in printed.split() if word.endswith(("-url", "-token"))}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["build", "--signing-algorithm", "ES256"], "--signing-algorithm is of a key: give --signing-key too"),
    ],
)
def test_an_option_without_effect(arguments, said, warden, tmp_path, monkeypatch):
    """It is refused: a check that could never fail, a form that is not printed, an algorithm that does not sign."""
    monkeypatch.chdir(tmp_path)

    assert (2, "", f"warden: {said}\n") == warden("bundle", *arguments)
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("command", "option", "example"),
    [
        ("bundle build", "--output", "bundle.tar.gz"),
        ("report runs", "--out", "findings.csv"),
    ],
)
def test_a_directory_that_should_be_a_file(command, option, example, warden, tmp_path):
    """The option is named, and a file that could be meant."""
    status, printed, said = warden(*command.split(), option, str(tmp_path))

    sentence = f"Invalid value for '{option}': {tmp_path} is a directory: name a file, such as {tmp_path / example}\n"
    assert (2, "") == (status, printed)
    assert said.endswith(sentence)


@pytest.mark.parametrize(("command", "option"), [("bundle build", "--output"), ("report runs", "--out")])
def test_what_is_no_regular_file(command, option, warden, tmp_path):
    """A pipe or a device stays what it is, behind a link too: a file in its place would be in everybody's way."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for name in ("pipe", "link"):
        status, printed, said = warden(*command.split(), option, str(tmp_path / name))

        assert (2, "") == (status, printed)
        assert f"Invalid value for '{option}': {tmp_path / name} is no regular file: name one, such as " in said
    assert {"pipe", "link"} == {path.name for path in tmp_path.iterdir()}
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.opa
@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_to_a_file(is_there, warden, tmp_path):
    """The file is replaced, or made, and the link leads there as before."""
    if is_there:
        (tmp_path / "bundle").write_text("old")
    (tmp_path / "link").symlink_to("bundle")
    status, printed, _ = warden("bundle", "build", "--output", str(tmp_path / "link"))

    assert (0, True) == (status, printed.startswith(f"{tmp_path / 'bundle'}: revision "))
    assert Path("bundle") == (tmp_path / "link").readlink()
    assert b"\x1f\x8b" == (tmp_path / "bundle").read_bytes()[:2]


def test_standard_input_that_is_closed(warden, monkeypatch):
    """It is an error with a way out, as of a file that cannot be read."""
    monkeypatch.setattr(sys, "stdin", None)

    said = "standard input: it is closed: write a document to it, or name a file"
    assert (2, "", f"warden: {said}\n") == warden("decide", "-")


@pytest.mark.opa
def test_a_cache_that_is_a_file(warden, document, tmp_path, monkeypatch, opa_binary):
    """The variable that names it is named, also where OPA is not looked for in it."""
    monkeypatch.setenv("WARDEN_OPA", str(opa_binary))
    monkeypatch.setenv("WARDEN_CACHE", document)

    said = f"the cache directory {document} cannot be used (File exists): delete it, or set WARDEN_CACHE to a directory"
    assert (2, "", f"warden: {said} that can be written\n") == warden("decide", document)


@pytest.mark.parametrize(
    "arguments",
    [
        ["snapshot", "--bootstrap-server", "127.0.0.1:1", "--out", "snapshots"],
        ["notify", ".", "--config", __file__],
        ["console", "--runs", "."],
    ],
)
def test_a_module_that_is_missing(arguments, warden, monkeypatch):
    """It is named before anything is read or served, with the extra that brings it."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    assert (2, "", "warden: pyarrow is not installed: pip install 'kafka-warden[spark]'\n") == warden(*arguments)


def test_a_decision_input_with_two_meanings(warden, tmp_path, monkeypatch):
    """It is not evaluated, from a file or from standard input."""
    file = tmp_path / "request.json"
    file.write_bytes(b'{"operation": "CreateTopic",\n"operation": "DeleteTopic"}')
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[" * 100000)))

    said = '2: the key "operation" is there already, in line 1: keep one of the two\n'
    assert (2, "", f"warden: {file}:{said}") == warden("decide", str(file))
    deep = "lists and objects stand more than 100 deep in each other: write less deeply"
    assert (2, "", f"warden: standard input:1: {deep}\n") == warden("decide", "-")
