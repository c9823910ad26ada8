"""What ends a command, and with which exit status: a verdict, an error, a defect are three things."""

import io
import sys

import pytest

from warden.errors import InputError


@pytest.fixture
def document(tmp_path):
    path = tmp_path / "request.json"
    path.write_text("{}")
    return str(path)


def test_a_defect_is_no_verdict(warden, document, monkeypatch):
    """Python's own exit status of a trace is 1, which means denied: here it is that of an error, with the trace."""

    def broken(*_arguments):
        raise ZeroDivisionError("made up")

    monkeypatch.setattr("warden.cli.decide.opened_opa", broken)
    status, printed, said = warden("decide", document)

    assert (2, "") == (status, printed)
    assert "ZeroDivisionError: made up" in said
    assert said.endswith("warden: a defect of Warden, and no verdict: please report the lines above\n")


def test_what_the_system_refuses_is_an_error(warden, document, monkeypatch):
    """Neither a verdict nor a defect: one sentence."""

    def broken(*_arguments):
        raise OSError(28, "No space left on device", "/runs")

    monkeypatch.setattr("warden.cli.decide.opened_opa", broken)

    said = "warden: the system refuses: [Errno 28] No space left on device: '/runs'\n"
    assert (2, "", said) == warden("decide", document)


@pytest.mark.parametrize("option", [["--profile", "production"], ["--settings", __file__]])
def test_an_opa_that_runs_has_its_settings(warden, document, option):
    """What would be passed over in silence is refused: the OPA that is asked decides by its own settings."""
    status, _, said = warden("decide", "--opa-url", "http://127.0.0.1:1", *option, document)

    assert 2 == status
    assert said.startswith(
        f"warden: {option[0]} is for an OPA that is started here, and --opa-url names one that runs: "
    )


@pytest.mark.parametrize(
    ("options", "environment"),
    [
        (["--opa-url", "U", "--opa-token", "T"], {}),
        (["--url", "U", "--token=T"], {}),
        ([], {"WARDEN_OPA_URL": "U", "WARDEN_OPA_QUERY_TOKEN": "T"}),
        ([], {"WARDEN_DECIDE_OPA_URL": "U", "WARDEN_DECIDE_OPA_TOKEN": "T"}),
        ([], {"WARDEN_DECIDE_URL": "U", "WARDEN_DECIDE_TOKEN": "T"}),
    ],
)
def test_names_of_the_opa_that_is_asked(options, environment, warden, document, monkeypatch):
    """One pair of options for all commands; what it was called before goes on working, and so do the variables."""
    asked = []

    def asking(*opa):
        asked.append(opa)
        raise InputError("that will do")

    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("warden.cli.decide.opened_opa", asking)

    assert (2, "", "warden: that will do\n") == warden("decide", *options, document)
    assert [("U", "T", None, None)] == asked


def test_one_name_in_the_help(warden):
    """The former names are not offered."""
    _, printed, _ = warden("decide", "--help")

    assert {"--opa-url", "--opa-token"} == {word for word in printed.split() if word.endswith(("-url", "-token"))}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["profiles", "--check"], "--check is of a page: give --page too"),
        (
            ["profiles", "--page", "profiles.md", "--output", "json"],
            "--output json is of the list, and --page writes a page: leave out one of them",
        ),
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
        ("bundle profiles", "--page", "profiles.md"),
        ("report runs", "--out", "findings.csv"),
    ],
)
def test_a_directory_that_should_be_a_file(command, option, example, warden, tmp_path):
    """The option is named, and a file that could be meant."""
    status, printed, said = warden(*command.split(), option, str(tmp_path))

    told = f"Invalid value for '{option}': {tmp_path} is a directory: name a file, such as {tmp_path / example}\n"
    assert (2, "") == (status, printed)
    assert said.endswith(told)


def test_a_decision_input_with_two_meanings(warden, tmp_path, monkeypatch):
    """It is not judged, from a file or from standard input."""
    file = tmp_path / "request.json"
    file.write_bytes(b'{"operation": "CreateTopic",\n"operation": "DeleteTopic"}')
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[" * 100000)))

    said = '2: the key "operation" is there already, in line 1: keep one of the two\n'
    assert (2, "", f"warden: {file}:{said}") == warden("decide", str(file))
    deep = "lists and objects stand more than 100 deep in each other: write less deeply"
    assert (2, "", f"warden: standard input:1: {deep}\n") == warden("decide", "-")
