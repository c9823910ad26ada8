"""What makes a command quick: what it does not load, and what it does not start before it says what is wrong."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.demo.estate import write_estate

_PROGRAM = """
import json, sys
started = []
sys.addaudithook(lambda event, given: started.append(list(map(str, given[1]))) if event == "subprocess.Popen" else None)
from warden.commands import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    loaded = sorted({name.partition(".")[0] for name in sys.modules})
    print(json.dumps({"status": ended.code, "started": started, "loaded": loaded}), file=sys.__stderr__)
"""
_HEAVY = {"aiohttp", "jinja2", "kafka", "opa_client", "pandas", "prometheus_client", "pyarrow", "pyspark", "requests"}
_OF_HCL = {"hcl2", "lark", "regex"}


def run(*arguments: str | Path, cwd: Path = CHECKOUT) -> tuple[dict[str, Any], str]:
    """Run a command in a process of its own: status, programs started and packages loaded; and what it says."""
    command = [sys.executable, "-c", _PROGRAM, *map(str, arguments)]
    said = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False).stderr
    *lines, found = said.splitlines()
    return json.loads(found), "\n".join(lines)


@pytest.mark.process
@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["decide", "--help"], ["scan", "--help"]])
def test_help_loads_little(arguments: list[str]) -> None:
    """No library that takes long to load, and no program is started."""
    found, _ = run(*arguments)

    assert (0, [], set()) == (found["status"], found["started"], _HEAVY & set(found["loaded"]))


@pytest.mark.opa
@pytest.mark.parametrize(("name", "loaded"), [("a.yaml", set()), ("a.tf", _OF_HCL)])
def test_check_loads_what_files_need(name: str, loaded: set[str], tmp_path: Path) -> None:
    """The parser of HCL comes with the first file of HCL."""
    texts = {"a.yaml": "topic: shop.a\n", "a.tf": 'resource "kafka_topic" "a" {\n  name = "shop.a"\n}\n'}
    (tmp_path / name).write_text(texts[name], encoding="utf-8")

    found, _ = run("check", name, cwd=tmp_path)

    assert loaded == _OF_HCL & set(found["loaded"])


@pytest.mark.opa
@pytest.mark.parametrize("command", [["decide", "a.json"], ["run"], ["scan", "snapshot"]])
def test_settings_are_checked_first(command: list[str], tmp_path: Path) -> None:
    """One look into the rules, one evaluation: neither Java nor an OPA that answers is started, nor is Spark loaded."""
    (tmp_path / "settings.yaml").write_text("rules:\n  KFK-SIZ-01: {mode: deny}\n", encoding="utf-8")
    (tmp_path / "a.json").write_text("{}", encoding="utf-8")
    write_estate(tmp_path / "snapshot", 200)

    found, said = run(*command, "--settings", "settings.yaml", cwd=tmp_path)

    calls = [command[1] for command in found["started"] if command[1] not in {"version", "sign"}]
    assert ["inspect", "eval"] == calls
    assert (2, set()) == (found["status"], {"pyspark", "opa_client", "aiohttp"} & set(found["loaded"]))
    assert said == "warden: settings.yaml:2: rules: unknown rule KFK-SIZ-01: did you mean KFK-SIZ-001?"


@pytest.mark.opa
def test_a_decision_loads_one_http_library(tmp_path: Path) -> None:
    """What speaks to OPA is loaded, not what the client library for OPA brings besides."""
    found, _ = run("decide", CHECKOUT / "docs/examples/create-topic.json", cwd=tmp_path)

    assert (1, set()) == (found["status"], (_HEAVY - {"requests"}) & set(found["loaded"]))
