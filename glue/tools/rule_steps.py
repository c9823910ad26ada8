"""``python -m tools.rule_steps ID``: which of the six steps to a rule of the library are done, and what is missing."""

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from tools.command_line import run
from tools.examples import locate_examples, read_examples
from tools.families import render_families
from tools.lint.rule_problems import list_rule_problems
from tools.pages.__main__ import render_pages
from tools.plain_data import build_plain_data
from warden.base.errors import ConfigurationError, WardenError
from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa

__all__ = ["check_steps", "command"]

_SETTINGS = "settings that ship"  # what problems with them say, in policies/checks/rules/settings.rego


@dataclass(frozen=True)
class _Rule:
    id: str
    file: Path
    opa: Path
    docs: Path

    @property
    def policies(self) -> Path:
        return find_shipped("policies")

    def label(self, path: Path) -> str:
        return f"policies/{path.relative_to(self.policies)}"


def check_steps(id: str, docs: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each step with what is missing; steps that need the rule's file are left out where there is none.

    Args:
        id: The rule's.
        docs: Directory of the reference pages.
    """
    policies = find_shipped("policies")
    named = re.compile(rf"^#\s+id:\s*{re.escape(id)}\s*$", re.MULTILINE)
    files = [path for path in sorted(policies.rglob("*.rego")) if named.search(path.read_text(encoding="utf-8"))]
    if not files:
        yield "rule", [f"no file has {id} in its METADATA: begin with `warden new rule {id} --family NAME`"]
        return
    rule = _Rule(id, files[0], find_opa(), docs)
    yield "rule", []
    yield "test", list(_check_test(rule))
    yield "examples", list(_check_examples(rule))
    problems = [problem for problem in list_rule_problems(rule.opa)[0] if policies / problem["file"] == rule.file]
    sentences = [f"{rule.label(rule.file)}:{problem['row']}: {problem['message']}" for problem in problems]
    yield "settings", [sentence for sentence in sentences if _SETTINGS in sentence]
    yield "form", [*(sentence for sentence in sentences if _SETTINGS not in sentence), *_check_families(rule)]
    yield "page", list(_check_page(rule))


def _check_test(rule: _Rule) -> Iterator[str]:
    test = rule.file.with_name(f"{rule.file.stem}_test.rego")
    if not test.is_file():
        yield f"{rule.label(test)} is missing: write a table of what is denied, and of near misses"
        return
    text = test.read_text(encoding="utf-8")
    package = "".join(re.findall(r"^package (\S+)", text, re.MULTILINE))
    arguments = [str(rule.opa), "test", "--bundle", str(rule.policies), str(find_shipped("bundle"))]
    arguments += ["--run", rf"^data\.{re.escape(package)}\."]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    names = re.findall(r"^test_\w+", text, re.MULTILINE)
    if done.returncode != 0 or not names:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if ": FAIL" in line or "error" in line]
        yield f"{rule.label(test)}: {lines[0] if lines else 'it has no test'}"
        return
    report = subprocess.run([*arguments, "--coverage"], capture_output=True, text=True, check=True).stdout
    covered = {Path(name).name: coverage for name, coverage in json.loads(report)["files"].items()}
    for block in covered.get(rule.file.name, {}).get("not_covered", []):
        yield f"{rule.label(rule.file)}:{block['start']['row']}: no test of {package} comes here"


def _check_examples(rule: _Rule) -> Iterator[str]:
    file = locate_examples(rule.file)
    if not file.is_file():
        yield f"{rule.label(file)} is missing: write what is good and what is bad, as the rules beside it have them"
        return
    try:
        document = read_examples(file)
    except ConfigurationError as error:
        yield str(error).replace(str(file), rule.label(file))
        return
    for kind, fields in (("good", {"title", "input"}), ("bad", {"title", "input", "message", "fix"})):
        if not document.get(kind):
            yield f"{rule.label(file)}: has no example under {kind}"
        for example in document.get(kind) or []:
            if missing := sorted(fields - set(example)):
                yield f"{rule.label(file)}: {kind}: {example.get('title', 'an example')}: lacks {', '.join(missing)}"


def _check_families(rule: _Rule) -> Iterator[str]:
    for file, text in render_families(rule.opa, rule.policies).items():
        if file.read_text(encoding="utf-8") != text:
            yield f"{rule.label(file)} is out of date: run `make fmt`"


def _check_page(rule: _Rule) -> Iterator[str]:
    try:
        pages = render_pages()
    except (WardenError, LookupError) as error:
        yield f"it cannot be made before the steps above are done ({error})"
        return
    for name in (f"rules/{rule.id}.md", "rules/README.md", "profiles.md"):
        page = rule.docs / name
        if not page.is_file() or page.read_text(encoding="utf-8") != pages.get(name):
            yield f"docs/reference/{name} is out of date: run `make fmt`"
    bundle = find_shipped("bundle")
    for file, text in build_plain_data(rule.opa, rule.policies, bundle).items():
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            yield f"{file.relative_to(bundle.parent)} is out of date: run `make fmt`"


@click.command(name="python -m tools.rule_steps", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("id")
def command(id: str) -> int:
    """Say which of the six steps to the rule ID of the library are done, and what is missing.

    Exit status: 0 all of them are done, 1 something is missing.

    \b
    Example:
      python -m tools.rule_steps KFK-NAM-099
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    left = False
    for number, (step, sentences) in enumerate(check_steps(id, Path("docs/reference")), 1):
        left |= bool(sentences)
        for sentence in sentences or ["done"]:
            click.echo(f"{number} {step:<9} {sentence}")
    return int(left)


if __name__ == "__main__":
    run(command)
