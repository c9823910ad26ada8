"""The public surface of the package: a change here is a change that users notice."""

import ast
import builtins
import importlib
import inspect
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from textwrap import dedent
from types import FunctionType

import pytest

import warden
from tests.fixtures.checkout import CHECKOUT
from warden.base import errors

_PAGE = CHECKOUT / "docs" / "reference" / "python.md"

_PUBLIC = {
    "warden": [
        *("ConfigurationError", "Connection", "Decide", "Decision", "Document", "Enforcement", "EvaluatedRequest"),
        *("ExtraMissing", "InputError", "Item", "KafkaError", "KafkaRefusal", "KafkaUnreachable", "OpaError"),
        *("OpaEvaluationError", "OpaInputTooLarge", "OpaOutdated", "OpaRefused", "OpaTimeout", "OpaUnauthorized"),
        *("OpaUndefined", "OpaUnreachable", "ParsedRequest", "Patch", "PolicyAdminClient", "Result", "Severity"),
        *("StoreError", "Suggestion", "TopicIds", "Violation", "Warden", "WardenError", "__version__"),
        *("apply_annotations", "apply_response", "build_denied_elements", "build_results", "connect"),
        *("encode_annotation", "evaluate_request", "index_topic_ids", "join_errors", "merge_annotations"),
        *("merge_response", "parse_request", "select_allowed", "suggest_fix"),
    ],
    "warden.dynamic_clients": [
        *("ClientConfigsAdmin", "ClientMetrics", "ConfigService", "DynamicConfigs", "DynamicConsumer"),
        *("DynamicKafkaConsumer", "DynamicKafkaProducer", "DynamicProducer"),
    ],
}
_LOGGER = "warden.policy.adapter"


@pytest.mark.parametrize(("module", "names"), _PUBLIC.items())
def test_exported_members(module, names):
    """What a module exports is listed here and there."""
    exported = importlib.import_module(module).__all__

    assert names == exported
    assert [] == [name for name in names if not hasattr(importlib.import_module(module), name)]
    assert names == sorted({*names} & {*dir(importlib.import_module(module))})


@pytest.mark.process
def test_a_type_checker_knows_them(tmp_path):
    """And no others: a misspelt name is an error of the program's."""
    lines = [f"from {module} import {', '.join([*names, 'Decison'])}" for module, names in _PUBLIC.items()]
    program = tmp_path / "program.py"
    program.write_text("\n".join(lines))
    modules = [f"glue/{module.replace('.', '/')}/__init__.py" for module in _PUBLIC]
    command = [sys.executable, "-m", "mypy", "--follow-imports=skip", "--no-incremental", *modules, str(program)]
    ended = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)

    said = re.findall(r"error: (Module \S+ has no attribute \"\w+\"|.*)", ended.stdout)
    assert [f'Module "{module}" has no attribute "Decison"' for module in _PUBLIC] == said


@pytest.mark.process
def test_a_plain_decision_loads_no_library():
    """What needs an extra, or OPA's HTTP stack, is loaded with what is built on it; what is not there is said."""
    program = """
import sys, warden
assert "PolicyAdminClient" in dir(warden)
assert {"aiohttp", "confluent_kafka", "kafka", "requests"}.isdisjoint(sys.modules), sys.modules
assert warden.PolicyAdminClient.__name__ == "PolicyAdminClient" and "confluent_kafka" in sys.modules
warden.denied
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert "AttributeError: module 'warden' has no attribute 'denied'" == ended.stderr.splitlines()[-1]


def test_the_page_lists_them():
    """By what they are for, and no page for users names another module."""
    page = _PAGE.read_text(encoding="utf-8")
    assert list(_PUBLIC) == re.findall(r"^\| `(warden[\w.]*)` \|", page, re.MULTILINE)
    (table,) = re.findall(r"^\| of `warden` .*\n((?:\|.*\n)+)", page, re.MULTILINE)
    listed = [name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    errors_below = {name for name, _ in _read_tree(page)} - {"WardenError"}
    assert sorted(_PUBLIC["warden"]) == sorted([*listed, *errors_below])

    pages = [*(CHECKOUT / "docs").glob("[osr]*/*.md"), CHECKOUT / "README.md"]
    named = {
        (path.name, name) for path in pages if path.name != "designs.md" for name in _find_modules(path.read_text())
    }
    public = {*_PUBLIC, *(f"{module}.{name}" for module, names in _PUBLIC.items() for name in names), _LOGGER}
    assert {"warden.dynamic_clients", _LOGGER} <= {name for _, name in named}
    assert [] == sorted((page, name) for page, name in named if name not in public)


def test_signatures_name_what_is_public():
    """Types in them, and of fields, are listed above, Python's or a library's, but for what is not for applications."""
    public = {name for names in _PUBLIC.values() for name in names} | set(dir(builtins))
    members = [getattr(importlib.import_module(module), name) for module, names in _PUBLIC.items() for name in names]
    called = [member for member in members if inspect.isclass(member) or inspect.isfunction(member)]
    named = {(member.__name__, word) for member in called for word in _iter_types(member)}
    assert len(named) > 50
    internal = {("ClientMetrics", "ReplaceableClient"), ("Warden", "OpaClient")}
    assert internal == {(member, word) for member, word in named if word not in public}


def _iter_types(member: type | FunctionType) -> Iterator[str]:
    """Yield the names in annotations of public parameters, returns and fields, but for those of other libraries."""
    tree = ast.parse(inspect.getsource(importlib.import_module(member.__module__)))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    ours = [node for node in imports if isinstance(node, ast.ImportFrom) and str(node.module).startswith("warden")]
    foreign = {alias.asname or alias.name for node in imports if node not in ours for alias in node.names}
    (defined,) = (node for node in tree.body if getattr(node, "name", None) == member.__name__)
    for part in defined.body if isinstance(defined, ast.ClassDef) else [defined]:
        annotations: list[ast.expr | None] = [part.annotation] if isinstance(part, ast.AnnAssign) else []
        if isinstance(part, ast.FunctionDef) and not re.match("_(?!_init__)", part.name):
            annotations = [part.returns]
            annotations += [node.annotation for node in ast.walk(part.args) if isinstance(node, ast.arg)]
        text = " ".join(ast.unparse(each) for each in annotations if each is not None)
        text = re.sub(r"Literal\[[^]]*\]", "", text)
        yield from set(re.findall(r"(?<![.\w])[A-Za-z]\w*", text)) - foreign


def _find_modules(text: str) -> Iterator[str]:
    groups = "|".join(path.name for path in (CHECKOUT / "glue" / "warden").iterdir() if path.is_dir())
    for command in re.findall(r"<!--.*?-->", text, re.DOTALL):
        text = text.replace(command, "")
    yield from re.findall(rf"(?:from |`)(warden\.(?:{groups})\b[\w.]*)", text)


def test_the_tree_of_errors():
    """Every class is in the module's drawing, below the one that it is one of; the page has those that are public."""
    classes = [each for each in vars(errors).values() if isinstance(each, type)]
    assert sorted(each.__name__ for each in classes) == errors.__all__
    assert sorted(map(_find_place, classes)) == sorted(_read_tree(errors.__doc__))

    public = [each for each in classes if each.__name__ in warden.__all__]
    assert len(public) > 10
    assert sorted(map(_find_place, public)) == sorted(_read_tree(_PAGE.read_text(encoding="utf-8")))


def _find_place(error: type) -> tuple[str, str]:
    return error.__name__, error.mro()[1].__name__.replace("Exception", "")


def _read_tree(text: str) -> list[tuple[str, str]]:
    """Return the classes of a drawing, each with the one above it; the first has none."""
    drawn, above = [], [""]
    (tree,) = re.findall(r"^ *WardenError\n(?: *[│├└].*\n)+", text, re.MULTILINE)
    for match in re.finditer(r"^([│├└─ ]*)([A-Z]\w+)(?: |$)", dedent(tree), re.MULTILINE):
        depth = len(match[1]) // 4
        above[depth + 1 :] = [match[2]]
        drawn.append((match[2], above[depth]))
    return drawn


@pytest.mark.parametrize("name", [name for name in errors.__all__ if name in warden.__all__])
def test_errors_can_be_pickled(name):
    """With what they have besides their text, as they come from worker processes."""
    error = getattr(warden, name)("it is wrong")
    vars(error).update(dict.fromkeys(vars(error), 7))
    back = pickle.loads(pickle.dumps(error))

    assert (type(error), str(error), vars(error)) == (type(back), str(back), vars(back))
    assert f"{name}('it is wrong')" == repr(back)
