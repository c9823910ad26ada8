"""The public surface of the package: a change here is a change that users notice."""

import ast
import builtins
import importlib
import inspect
import re
from collections.abc import Iterator
from types import FunctionType

import pytest

import warden
from tests.fixtures.checkout import CHECKOUT
from warden.base import errors

_PAGE = CHECKOUT / "docs" / "reference" / "python.md"

_PUBLIC = {
    "warden": ["Decision", "Document", "KafkaRefusal", "Violation", "Warden", "__version__"],
    "warden.base.errors": [
        *("BundleError", "ConfigurationError", "ExtraMissing", "InputError", "KafkaError", "KafkaUnreachable"),
        *("KubernetesError", "KubernetesUnreachable", "OpaError", "OpaEvaluationError", "OpaInputTooLarge"),
        *("OpaOutdated", "OpaRefused"),
        *("OpaTimeout", "OpaUnauthorized", "OpaUndefined", "OpaUnreachable", "ScanError", "SettingsError"),
        *("SourceStale", "SourceUnreachable", "StoreConflict", "StoreError", "ToolchainError", "WardenError"),
        "WriteWithheld",
    ],
    "warden.base.toolchain.opa": ["find_opa", "read_opa_version"],
    "warden.dynamic_clients": [
        *("ClientConfigsAdmin", "ClientMetrics", "ConfigService", "DynamicConfigs", "DynamicConsumer"),
        *("DynamicKafkaConsumer", "DynamicKafkaProducer", "DynamicProducer"),
    ],
    "warden.enforce.sdk.admin": ["PolicyAdminClient"],
    "warden.enforce.sdk.evaluate": ["EvaluatedRequest", "evaluate_request"],
    "warden.policy.adapter": [
        *("Decide", "Item", "ParsedRequest", "Patch", "Result", "Suggestion", "TopicIds", "apply_annotations"),
        *("build_denied_elements", "build_results", "index_topic_ids", "merge_response", "parse_request"),
        *("select_allowed", "suggest_fix"),
    ],
    "warden.policy.contract.annotations": [
        *("Enforcement", "apply_response", "encode_annotation", "join_errors", "merge_annotations"),
    ],
    "warden.state.sources.kafka.login.connection": ["Connection", "connect"],
    "warden.state.sources.source": ["REMOVED", "Change", "ResumableSource", "Source"],
}


@pytest.mark.parametrize(("module", "names"), _PUBLIC.items())
def test_exported_members(module, names):
    """What a module exports is listed here and there."""
    exported = importlib.import_module(module).__all__

    assert names == exported
    assert [] == [name for name in names if not hasattr(importlib.import_module(module), name)]


def test_decisions_come_from_the_top():
    """What services use is imported from the package itself."""
    from warden.enforce.sdk.warden import Warden
    from warden.policy.contract.decision import Decision

    assert (Decision, Warden) == (warden.Decision, warden.Warden)


def test_the_page_lists_them():
    """And no page for users names another, but for the lines that make up an example's estate."""
    page = _PAGE.read_text(encoding="utf-8")
    assert list(_PUBLIC) == re.findall(r"^\| `(warden[\w.]*)` \|", page, re.MULTILINE)

    pages = [*(CHECKOUT / "docs").glob("[osr]*/*.md"), CHECKOUT / "README.md"]
    named = {
        (path.name, name) for path in pages if path.name != "designs.md" for name in _find_modules(path.read_text())
    }
    assert len({name for _, name in named}) > 4
    public = {*_PUBLIC, *(f"{module}.{name}" for module, names in _PUBLIC.items() for name in names)}
    assert [] == sorted((page, name) for page, name in named if name not in public)


def test_signatures_name_what_is_public():
    """Types of parameters are listed above, Python's or a library's, but for what is not to be made by applications."""
    public = {name for names in _PUBLIC.values() for name in names} | set(dir(builtins))
    members = [getattr(importlib.import_module(module), name) for module, names in _PUBLIC.items() for name in names]
    called = [member for member in members if inspect.isclass(member) or inspect.isfunction(member)]
    named = {(member.__name__, word) for member in called for word in _iter_types(member)}
    assert len(named) > 50
    internal = {("ClientMetrics", "ReplaceableClient"), ("Warden", "OpaClient")}
    assert internal == {(member, word) for member, word in named if word not in public}


def _iter_types(member: type | FunctionType) -> Iterator[str]:
    """Yield the names in the annotations of public parameters, but for other libraries' and a module's own aliases."""
    tree = ast.parse(inspect.getsource(importlib.import_module(member.__module__)))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    ours = [node for node in imports if isinstance(node, ast.ImportFrom) and str(node.module).startswith("warden")]
    foreign = {alias.asname or alias.name for node in imports if node not in ours for alias in node.names}
    (defined,) = (node for node in tree.body if getattr(node, "name", None) == member.__name__)
    for function in defined.body if isinstance(defined, ast.ClassDef) else [defined]:
        if isinstance(function, ast.FunctionDef) and not re.match("_(?!_init__)", function.name):
            annotations = [node.annotation for node in ast.walk(function.args) if isinstance(node, ast.arg)]
            text = " ".join(ast.unparse(each) for each in annotations if each is not None)
            yield from set(re.findall(r"(?<![.\w])[A-Za-z]\w*", text)) - foreign


def _find_modules(text: str) -> Iterator[str]:
    groups = "|".join(path.name for path in (CHECKOUT / "glue" / "warden").iterdir() if path.is_dir())
    for command in re.findall(r"<!--.*?-->", text, re.DOTALL):
        text = text.replace(command, "")
    yield from re.findall(rf"(?:from |`)(warden\.(?:{groups})\b[\w.]*)", text)


def test_the_tree_of_errors():
    """Every class is in the drawing, below the one that it is one of, there and on the page."""
    drawn, above = [], [""]
    for match in re.finditer(r"^ {4}([│├└─ ]*)([A-Z]\w+)(?: |$)", errors.__doc__, re.MULTILINE):
        depth = len(match[1]) // 4
        above[depth + 1 :] = [match[2]]
        drawn.append((match[2], above[depth]))
        assert match[0][4:] in _PAGE.read_text(encoding="utf-8")
    classes = [each for each in vars(errors).values() if isinstance(each, type)]

    assert sorted(drawn) == sorted((each.__name__, each.mro()[1].__name__.replace("Exception", "")) for each in classes)
    assert sorted(each.__name__ for each in classes) == errors.__all__
