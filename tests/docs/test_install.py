"""The table of extras says which a command needs."""

import ast
import re
import tomllib
from collections import defaultdict
from importlib.metadata import packages_distributions
from pathlib import Path

from tests.fixtures.checkout import CHECKOUT

_COMMANDS = CHECKOUT / "glue" / "warden" / "commands"


def _read_checked() -> dict[str, set[str]]:
    """Command → the modules for which it looks, by the text of its module."""
    modules: dict[str, set[str]] = defaultdict(set)
    for path in sorted(_COMMANDS.rglob("*.py")):
        parts = [part for part in path.relative_to(_COMMANDS).with_suffix("").parts if part != "__init__"]
        name = " ".join(["warden", *parts]).replace("_", "-")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "check_extras":
                modules[name] |= {str(each.value) for each in node.args if isinstance(each, ast.Constant)}
    return {name: found for name, found in modules.items() if "shared" not in name}


def _read_brought() -> dict[str, set[str]]:
    """Extra → the modules that it brings."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {
        extra: {re.split(r"[^\w-]", requirement)[0].lower() for requirement in requirements}
        for extra, requirements in project["optional-dependencies"].items()
        if extra != "all"
    }
    modules = {
        module: {distribution.lower().replace("_", "-") for distribution in distributions}
        for module, distributions in packages_distributions().items()
    }
    return {
        extra: {module for module, distributions in modules.items() if distributions & names}
        for extra, names in needed.items()
    }


def _read_table() -> dict[str, str]:
    """Extra → what the page says that it is for."""
    page = Path(CHECKOUT, "docs/start/install.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `([a-z]+)` \| (.*) \|$", page, re.MULTILINE))


def test_every_extra_is_there() -> None:
    """In the table, and in the distribution."""
    assert _read_brought().keys() | {"all"} == _read_table().keys()


def test_what_a_command_looks_for() -> None:
    """Its extras bring all of it, and each of them a part."""
    checked, brought, table = _read_checked(), _read_brought(), _read_table()
    assert {"warden settings propose", "warden gateway", "warden webhook", "warden demo"} <= checked.keys()
    for command, modules in checked.items():
        extras = {extra for extra, text in table.items() if f"`{command}`" in text}

        assert set() == modules - set().union(*(brought[extra] for extra in extras)), command
        if command not in _BESIDES:
            assert [] == [extra for extra in extras if not brought[extra] & modules], command


_BESIDES = {
    "warden demo",  # of some acts
    "warden replicate",  # a source of Kafka's or Kubernetes'
    "warden snapshot",  # a cluster in every case, Spark in some
    "warden upgrade-check",  # a live cluster
    "warden console",  # decisions in PostgreSQL
}
"""Commands that need more for what an option or a file of theirs says."""
