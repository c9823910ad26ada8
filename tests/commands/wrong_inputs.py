"""Wrong inputs and what is printed: ``python -m tests.commands.wrong_inputs`` writes docs/reference/wrong-inputs.md."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fixtures.checkout import CHECKOUT

__all__ = ["CASES", "PAGE", "Case", "printed", "render", "rows"]

PAGE = CHECKOUT / "docs/reference/wrong-inputs.md"

_HEAD = Path(__file__).with_suffix(".md")

_GOOD: dict[str, Any] = {
    "operation": "CreateTopic",
    "cluster": "c",
    "clusterState": {},
    "request": {"topic": "shop.orders", "numPartitions": 3, "replicationFactor": 3},
}


@dataclass(frozen=True)
class Case:
    """A wrong input.

    Args:
        line: The command line behind ``warden``.
        name: Name of the file that it reads, if it reads one.
        text: What is in it.
        shown: What of the text the page shows; all of it where None.
    """

    line: str
    name: str = ""
    text: str = ""
    shown: str | None = None


def _settings(text: str) -> Case:
    return Case("settings validate s.yaml", "s.yaml", text)


def _input(**changed: Any) -> Case:
    """A decision input that differs from a good one in fields; None leaves a field out."""
    document = {key: value for key, value in {**_GOOD, **changed}.items() if value is not None}
    shown = ", ".join(
        f"no `{key}`" if value is None else f"`{json.dumps({key: value})[1:-1]}`" for key, value in changed.items()
    )
    return Case("decide d.json", "d.json", json.dumps(document), shown)


CASES = (
    # commands and options
    Case("decde"),
    Case("bundel build"),
    Case("zookeeper"),
    Case("topics crate"),
    Case("decide"),
    Case("decide a.json b.json"),
    Case("decide --output xml a.json"),
    Case("bundle schema setings"),
    Case("bundle schema decision-inputs"),
    Case("bundle schema decision-input --operation CreateTopics"),
    Case("decide --setings s.yaml a.json"),
    Case("decide --opa-url nonsense d.json", "d.json", "{}"),
    Case("decide --opa-url http://[::1:8181 d.json", "d.json", "{}"),
    Case("broker-plugin check d.json", "d.json", "{}"),
    Case("decide --profile strater d.json", "d.json", "{}"),
    Case("rules KFK-SIZ-999"),
    Case("scan none"),
    Case("scan . --day 2026-13-01"),
    Case("scan . --day 2026-11-01 --from-day 2026-11-01"),
    Case("scan . --to-day 2026-11-01"),
    Case("scan . --fail-on hihg"),
    Case("snapshot"),
    Case("snapshot --bootstrap-server localhost --out s"),
    Case("scan ."),
    Case("check --max-item-bytes 1023 ."),
    # files
    Case("decide none.json"),
    Case("decide --settings none.yaml none.json"),
    Case("bundle build --settings none.yaml"),
    Case("bundle build --settings d.json/none.yaml", "d.json", "{}"),
    Case("decide --site none none.json"),
    Case("decide d.json", "d.json", '{"a": 1,}'),
    Case("explain d.json", "d.json", "[]"),
    Case("waivers --expiring soon s.yaml", "s.yaml", "{}"),
    Case("replicate --config r.yaml", "r.yaml", "opa: {url: http://127.0.0.1:1}\ncluster: []\n"),
    Case("replicate --config r.yaml", "r.yaml", "opa: {url: http://127.0.0.1:1}\nclusters: [{name: dev}]\n"),
    # settings
    _settings("rules: ["),
    _settings("- a"),
    _settings("rules: {}\nrules: {}"),
    _settings("rule: {}"),
    _settings("rules:\n  KFK-SIZ-01: {mode: deny}"),
    _settings("rules:\n  KFK-SIZ-001:\n    mode: block"),
    _settings("rules:\n  KFK-SIZ-001:\n    params:\n      maximum: 3"),
    _settings("rules:\n  KFK-SIZ-001:\n    params: {max: many}"),
    _settings("rules:\n  KFK-SIZ-001:\n    params: {max: 0}"),
    _settings("rules:\n  KFK-SIZ-001:\n    params: {min: 9, max: 5}"),
    _settings('rules:\n  KFK-NAM-001:\n    params: {pattern: "(a"}'),
    _settings("rules:\n  KFK-SIZ-001: {enforceFrom: tomorrow}"),
    _settings("clusters:\n  - rules: {}"),
    _settings("clusters:\n  - match: {name: dev-*}\n    rules:\n      KFK-DUR-999: {mode: warn}"),
    _settings("enforcementPoints:\n  ci:\n    KFK-DUR-999: {mode: warn}"),
    _settings("waivers:\n  - {id: W, rule: KFK-SIZ-999, owner: a, reason: b, expires: 2026-12-31}"),
    _settings("waivers:\n  - {id: W, rule: KFK-SIZ-001, owner: a, reason: b, expires: soon}"),
    # decision inputs
    _input(operation=None),
    _input(operation="createTopic"),
    _input(operation=3),
    _input(cluster=None),
    _input(clusterState=None),
    _input(clusterState=False),
    _input(request=None),
    _input(request={"topic": "a", "partitions": 3}),
    _input(request={"topic": "a", "numPartitions": "3"}),
    _input(request={"topic": "a", "configs": {"a": 1}}),
    _input(clustr="c"),
    _input(principal="User:a"),
    _input(now="soon"),
    _input(validateOnly="true"),
)


def printed(case: Case, directory: Path, run: Callable[..., tuple[int, str, str]]) -> str:
    """Run a case in a directory, the current one, and return what is printed, without click's lines on usage.

    Args:
        case: The case.
        directory: The current directory.
        run: Runs a command line: exit status, what it printed, what it said.

    Raises:
        AssertionError: It ended with another status than 2, or with a trace.
    """
    if case.name:
        (directory / case.name).write_text(case.text, encoding="utf-8")
    status, out, said = run(*case.line.split())
    assert (status, "Traceback" in said) == (2, False), said
    lines = [line for line in f"{out}{said}".splitlines() if not line.startswith(("Usage:", "Try 'warden"))]
    return "\n".join(filter(None, lines))


def rows(answers: dict[Case, str]) -> list[str]:
    """Return the rows of the page's table."""
    return [f"| {_given(case)} | {_code(answer)} |" for case, answer in answers.items()]


def _given(case: Case) -> str:
    text = case.shown if case.shown is not None else _code(case.text)
    return f"`warden {case.line}`" + (f"<br>{case.name}: {text}" if case.name and case.text != "{}" else "")


def _code(text: str) -> str:
    lines = [re.sub(r"^ +", lambda spaces: "\u00a0" * len(spaces[0]), line) for line in text.strip().splitlines()]
    return "<br>".join(f"`` {line} ``" if "`" in line else f"`{line}`" for line in lines).replace("|", "\\|")


def render(answers: dict[Case, str]) -> str:
    """Return the page's text."""
    return _HEAD.read_text(encoding="utf-8") + "".join(f"{row}\n" for row in rows(answers))


def _main() -> None:
    import contextlib
    import io
    import os
    from tempfile import TemporaryDirectory

    from warden.commands import main

    def run(*arguments: str) -> tuple[int, str, str]:
        out, said = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            try:
                main(arguments)
            except SystemExit as ended:
                return int(ended.code or 0), out.getvalue(), said.getvalue()

    with TemporaryDirectory() as directory:
        os.chdir(directory)
        PAGE.write_text(render({case: printed(case, Path(directory), run) for case in CASES}), encoding="utf-8")


if __name__ == "__main__":
    _main()
