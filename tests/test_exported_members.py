"""The public surface of the package: a change here is a change that users notice."""

import importlib
import re
from collections.abc import Iterator

import pytest

import warden
from tests.fixtures.checkout import CHECKOUT
from warden.base import errors

_PAGE = CHECKOUT / "docs" / "reference" / "python.md"

_PUBLIC = {
    "warden": ["Decision", "KafkaRefusal", "Violation", "Warden", "__version__"],
    "warden.base.errors": [
        *("BundleError", "ConfigurationError", "InputError", "KafkaError", "KafkaUnreachable", "KubernetesError"),
        *("KubernetesUnreachable", "OpaError", "OpaEvaluationError", "OpaInputTooLarge", "OpaRefused", "OpaTimeout"),
        *("OpaUnauthorized", "OpaUndefined", "OpaUnreachable", "ScanError", "SettingsError", "SourceStale"),
        *("SourceUnreachable", "StoreConflict", "StoreError", "ToolchainError", "WardenError"),
    ],
    "warden.base.toolchain.opa": ["find_opa", "read_opa_version"],
    "warden.dynamic_clients": [
        *("ClientConfigsAdmin", "ClientMetrics", "ConfigChange", "ConfigService", "DynamicConsumer"),
        *("DynamicKafkaConsumer", "DynamicKafkaProducer", "DynamicProducer"),
    ],
    "warden.enforce.sdk.admin": ["PolicyAdminClient"],
    "warden.enforce.sdk.evaluate": ["EvaluatedRequest", "evaluate_request"],
    "warden.policy.adapter": [
        *("Item", "ParsedRequest", "Patch", "Result", "Suggestion", "apply_annotations", "build_denied_elements"),
        *("build_results", "index_topic_ids", "merge_response", "parse_request", "select_allowed", "suggest_fix"),
    ],
    "warden.policy.contract.annotations": [
        *("Enforcement", "apply_response", "encode_annotation", "join_errors", "merge_annotations", "select_changed"),
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
    assert [] == sorted((page, name) for page, name in named if not name.startswith(tuple(_PUBLIC)[1:]))


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
