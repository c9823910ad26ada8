"""The manual page has every command with its options, and is roff that says what the help says."""

import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from tests.fixtures.checkout import CHECKOUT
from tools.pages.manual import iter_commands, render_manual
from warden.commands import COMMANDS, command

PAGE = render_manual(CHECKOUT)
REQUESTS = {'.\\"', ".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi"}


def test_each_command_and_option() -> None:
    """Those of the command line, groups and what is below them, and what each option is called."""
    commands = list(iter_commands())
    paths = {one.path for one in commands}

    assert {"warden", *(f"warden {name}" for name in COMMANDS)} <= paths
    assert {"warden bundle build", "warden topics delete-records", "warden settings propose"} <= paths
    assert len(paths) == len(commands)
    headings = [line.replace("\\-", "-") for line in PAGE.splitlines() if line.startswith(".SS ")]
    assert headings == [
        f".SS {one.path} {one.usage}".replace("…", "\\[u2026]") for one in commands if one.path != "warden"
    ]
    terms = {line.replace("\\-", "-") for line in PAGE.splitlines() if line.startswith("\\fB")}
    assert [] == [name for one in commands for name, _ in one.options if f"\\fB{name}\\fR" not in _plain(terms)]


def _plain(lines: set[str]) -> set[str]:
    return {re.sub(r"\\\[u(\w+)\]", lambda found: chr(int(found[1], 16)), line) for line in lines}


def test_the_sections() -> None:
    """As man-pages(7) has them, with what install.md says of the environment and the options' own variables."""
    sections = re.findall(r"^\.SH (.*)$", PAGE, re.MULTILINE)

    order = "NAME SYNOPSIS DESCRIPTION OPTIONS COMMANDS FILES ENVIRONMENT EXIT_STATUS SEE_ALSO"
    assert order == " ".join(section.replace(" ", "_") for section in sections)
    for variable in ("WARDEN_OPA", "WARDEN_CACHE", "JAVA_HOME", "WARDEN_OPA_QUERY_TOKEN"):
        assert f"\n\\fB{variable}\\fR\n" in PAGE
    assert "\n\\fBbuild/bundle.tar.gz\\fR\nThe default of \\-\\-output of warden bundle build.\n" in PAGE


def test_nothing_is_taken_for_a_request() -> None:
    """ASCII, known requests, pairs of .nf and .fi, and no letter that roff or a terminal would change."""
    lines = PAGE.splitlines()
    texts = [line for line in lines if not line.startswith((".\\", ".TH"))]

    assert PAGE.isascii()
    assert REQUESTS >= {line.split()[0] for line in lines if line.startswith(".")}
    assert [".nf", ".fi"] * PAGE.count("\n.nf\n") == [line for line in lines if line in (".nf", ".fi")]
    assert [] == [line for line in texts if re.search(r"(?<!\\)-|['`^~\"]", line)]
    assert {"e", "-", "&", "f", "[", "("} >= {found for line in texts for found in re.findall(r"\\(.)", line)}


def test_a_help_with_every_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dots and backslashes at the beginning, lines that stay, what click leaves out, and what is hidden."""
    monkeypatch.setitem(COMMANDS, "odd", "odd")
    monkeypatch.setattr(type(command), "get_command", lambda _self, _ctx, _name: _odd)

    page = render_manual(CHECKOUT).partition("\n.SS warden odd [OPTIONS] A\\(aqB\n")[2].partition("\n.S")[0]

    assert page.splitlines() == [
        "\\&.hidden files and \\(aqquotes\\(aq.",
        ".PP",
        ".nf",
        "\\&.yaml",
        "  C:\\e x",
        ".fi",
        ".TP",
        "\\fB\\-\\-shown N\\fR",
        "More \\[u2026] than one line.",
    ]


_HELP = """.hidden files and 'quotes'.

\b
.yaml
  C:\\ x
\f
for programmers
"""


@click.command(help=_HELP)
@click.argument("a", metavar="A'B")
@click.option("--shown", metavar="N", help="More …\nthan one line.")
@click.option("--unseen", hidden=True)
def _odd(a: str, shown: str, unseen: str) -> None: ...


@pytest.mark.process
@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff here")
def test_groff_has_nothing_against_it(tmp_path: Path) -> None:
    """With all its warnings; what it prints has a text of the help as it stands there."""
    (tmp_path / "warden.1").write_text(PAGE, encoding="ascii")

    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=200n", "warden.1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)
    assert "  warden bundle build --settings settings.yaml --signing-key private.pem" in done.stdout
