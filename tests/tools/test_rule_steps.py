"""Which steps to a rule are done: of a new one as it is written, and with each step taken away again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.console import copy_checkout

pytestmark = [pytest.mark.opa, pytest.mark.slow]

_ID = "KFK-NAM-098"
_BESIDE = "policies/kafka/rules/naming/kfk_nam_098"
_PAGE = f"docs/reference/rules/{_ID}.md"
_DONE = [f"{number} {step:<9} done" for number, step in
         enumerate(("rule", "test", "examples", "settings", "form", "page"), 1)]  # fmt: skip


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with a new rule."""
    checkout = copy_checkout(tmp_path_factory.mktemp("checkout"))
    _run(checkout, "warden", "new", "rule", _ID, "--family", "naming")
    return checkout


def _run(checkout: Path, *module: str) -> tuple[int, list[str]]:
    environment = {"PYTHONPATH": f"{checkout / 'glue'}:{checkout}"}
    done = subprocess.run([sys.executable, "-m", *module], cwd=checkout, env=os.environ | environment,
                          capture_output=True, text=True, check=False)  # fmt: skip
    return done.returncode, (done.stdout + done.stderr).splitlines()


def test_a_rule_as_it_is_begun(begun: Path) -> None:
    """All six."""
    assert (0, _DONE) == _run(begun, "tools.rule_steps", _ID)


def test_no_such_rule(begun: Path) -> None:
    """The first step is the file."""
    status, (line,) = _run(begun, "tools.rule_steps", "KFK-NAM-999")

    assert 1 == status
    assert "no file has KFK-NAM-999 in its METADATA: begin with `warden new rule KFK-NAM-999 --family NAME`" in line


def test_each_step_taken_away(begun: Path, tmp_path: Path) -> None:
    """Each is named by its number, in one sentence."""
    checkout = tmp_path / "checkout"
    shutil.copytree(begun, checkout, symlinks=True)
    for file in (f"{_BESIDE}_test.rego", f"{_BESIDE}_examples.yaml", _PAGE):
        (checkout / file).unlink()
    _replace(checkout / "bundle/settings/data.yaml", f"{_ID}:", "KFK-NAM-097:")
    _replace(checkout / f"{_BESIDE}.rego", "deny contains", "visible := 1\n\ndeny contains")

    status, lines = _run(checkout, "tools.rule_steps", _ID)
    assert (1, "1 rule      done") == (status, lines[0])
    for start in (
        f"2 test      {_BESIDE}_test.rego is missing: ",
        f"3 examples  {_BESIDE}_examples.yaml is missing: ",
        f"4 settings  {_BESIDE}.rego:",
        f"5 form      {_BESIDE}.rego:",
        "6 page      it cannot be made before the steps above are done",
    ):
        assert [] != [line for line in lines if line.startswith(start)], "\n".join([start, *lines])


def test_less_than_a_step(begun: Path, tmp_path: Path) -> None:
    """A line without a test, examples of one kind, a page that is old."""
    checkout = tmp_path / "checkout"
    shutil.copytree(begun, checkout, symlinks=True)
    with (checkout / f"{_BESIDE}.rego").open("a") as file:
        file.write("\n_never if input.never\n")
    _replace(checkout / f"{_BESIDE}_examples.yaml", "  bad:", "  worse:")

    status, lines = _run(checkout, "tools.rule_steps", _ID)
    assert 1 == status
    assert [] != [line for line in lines if line.endswith(": no test of kafka.rules.naming_test comes here")], lines
    assert f"3 examples  {_BESIDE}_examples.yaml: has no example under bad" in lines

    _replace(checkout / f"{_BESIDE}_examples.yaml", "kfk_nam_098:", "kfk_nam_097:")
    status, lines = _run(checkout, "tools.rule_steps", _ID)
    (said,) = [line for line in lines if line.startswith("3 ")]
    wanted = "write good: and bad: under the one key kfk_nam_098, the rule's file"
    assert f"3 examples  {_BESIDE}_examples.yaml: {wanted}" in said


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
