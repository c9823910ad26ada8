"""The README is run: every `warden` command in it, with exactly the output that it shows."""

import re
import subprocess
import sys

import pytest

from tests.docs.console import MAKE, Command, iter_page
from tests.fixtures.checkout import CHECKOUT
from warden.demo.gateway import COMMANDS

README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"```console\n\$ warden (decide .*)\n((?:.*\n)*?)```", README)


def anonymous(text: str) -> str:
    """The text without the bundle's revision, which changes with every rule."""
    return re.sub(r'"revision": "[0-9a-f]{12}"', '"revision": "…"', text)


@pytest.mark.opa
@pytest.mark.parametrize(("arguments", "output"), SHOWN)
def test_a_command_prints_what_the_readme_shows(arguments: str, output: str) -> None:
    """What a newcomer reads is what a newcomer gets."""
    done = subprocess.run(
        [sys.executable, "-m", "warden", *arguments.split()], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )

    assert (anonymous(output), "", 1) == (anonymous(done.stdout), done.stderr, done.returncode)


def test_the_readme_shows_commands() -> None:
    """The pattern above has not lost its grip on the README."""
    assert ["decide docs/examples/create-topic.json", "decide --output json docs/examples/create-topic.json"] == [
        arguments for arguments, _ in SHOWN
    ]


def test_the_input_shown_is_the_example() -> None:
    """The document in the README is the file that its command reads."""
    example = (CHECKOUT / "docs/examples/create-topic.json").read_text(encoding="utf-8")

    assert f"```json\n{example}```" in README


def test_the_second_act_is_the_one_of_the_guide() -> None:
    """What Kafka's tools print is shown in the guide too, where `make test-docs` runs it; no command is run nowhere."""
    steps = [step for step in iter_page(README) if isinstance(step, Command)]
    rest = [step for step in steps if step.text.removeprefix("warden ") not in {text for text, _ in SHOWN}]
    (act,) = (step for step in rest if not MAKE.fullmatch(step.text.partition("#")[0].strip()))

    assert act in list(iter_page((CHECKOUT / "docs/operate/gateway.md").read_text(encoding="utf-8")))
    assert act.output is not None
    assert [f"> {command}" for command in COMMANDS] == [
        line for line in act.output.splitlines() if line.startswith("> ")
    ]
