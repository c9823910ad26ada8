"""Odd values in the place of each leaf of each form: a declaration, or a fault of its file, and never anything else."""

import json
from collections.abc import Iterator
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from tests.analyse.check.readers.terraform.hcl import write_resource
from tests.analyse.check.readers.terraform.test_plan_actions import COLUMNS
from tests.analyse.check.readers.terraform.test_terraform import plan, resource
from warden.analyse.check.files import iter_content_declarations
from warden.analyse.check.model import Declaration, Fault

ODD: list[Any] = [
    *(None, True, 0, -1, 6.5, 1e308, 10**400, {}, [], {"a": {}}, ["a"], [None], [{}]),
    *("", " ", "NaN", "inf", "--3", "9" * 400, "9" * 5000, "٣", "1_0", "a\n::error::b", "a\ud800", "é\u2028\x85\x7f"),
]
"""Each type of JSON, and numbers and texts that some reader takes for something else."""
PATHS = sorted(Path(__file__).parent.glob("test_*.py"))


def list_documents(module: ModuleType) -> list[Any]:
    """The documents among a module's constants."""
    texts = [value for name, value in vars(module).items() if name.isupper() and isinstance(value, str)]
    found = []
    for text in texts:
        try:
            found += [document for document in yaml.safe_load_all(text) if isinstance(document, dict)]
        except yaml.YAMLError:
            continue  # a template of Python's
    return found


def iter_places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to each value within a document."""
    inner = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in inner:
        yield (*path, key)
        yield from iter_places(value, (*path, key))


def iter_spoiled(document: Any) -> Iterator[Any]:
    """The document with each odd value in each place."""
    for *above, last in iter_places(document):
        for value in ODD:
            spoiled = deepcopy(document)
            holder = spoiled
            for key in above:
                holder = holder[key]
            holder[last] = value
            yield spoiled


def read(text: str, name: str) -> None:
    """Read a file, and see that all that is found can be written as JSON in UTF-8."""
    content = text.encode("utf-8", "surrogatepass")
    for item in iter_content_declarations(content, Path(name), siblings=lambda _: {name: content}):
        said: Any = item.message if isinstance(item, Fault) else ""
        said = [item.request, item.address, item.note] if isinstance(item, Declaration) else said
        json.dumps(said, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_documents(path: Path) -> None:
    """Those of operators and tools, as JSON and as YAML."""
    for document in list_documents(import_module(f"tests.analyse.check.readers.{path.stem}")):
        for spoiled in iter_spoiled(document):
            text = json.dumps(spoiled)
            read(text, "f.json")
            read(json.dumps(spoiled, ensure_ascii=False), "f.yaml")


@pytest.mark.parametrize(("type", "values"), [row for column in COLUMNS.values() for row in column.items()])
def test_plans(type: str, values: dict[str, Any]) -> None:
    """A resource that is created, altered and deleted, and what is around it."""
    changes = [resource(["create"], after=values, type=type), resource(["update"], values, values, type=type)]
    document = json.loads(plan(*changes, resource(["delete"], values, type=type)))
    for spoiled in iter_spoiled(document):
        read(json.dumps(spoiled), "plan.json")


@pytest.mark.parametrize(("type", "values"), [row for column in COLUMNS.values() for row in column.items()])
def test_hcl(type: str, values: dict[str, Any]) -> None:
    """A resource's attributes; its blocks stay blocks."""
    for place in values:
        for value in ODD:
            if place != "throughput" and value != 10**400:
                read(write_resource(type, {**values, place: value}), "main.tf")
