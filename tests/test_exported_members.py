"""The public surface of the package: a change here is a change that users notice."""

import importlib

import pytest

import warden

_PUBLIC = {
    "warden": ["Decision", "DecisionError", "Violation", "Warden", "__version__"],
    "warden.policy.adapter": [
        *("Item", "ParsedRequest", "Patch", "Result", "Suggestion", "apply_annotations", "build_results"),
        *("merge_response", "parse_request", "refusals", "select_allowed", "suggest_fix", "topic_ids"),
    ],
    "warden.enforce.sdk.admin": ["PolicyAdminClient"],
    "warden.dynamic_clients": [
        *("ClientConfigsAdmin", "ClientMetrics", "ConfigChange", "ConfigService", "DynamicConsumer"),
        *("DynamicKafkaConsumer", "DynamicKafkaProducer", "DynamicProducer"),
    ],
    "warden.enforce.sdk.evaluate": ["EvaluatedRequest", "evaluate_request"],
}


@pytest.mark.parametrize(("module", "names"), _PUBLIC.items())
def test_exported_members(module, names):
    """What a module exports is listed here, sorted, and there."""
    exported = importlib.import_module(module).__all__

    assert names == exported
    assert sorted(names) == names
    assert [] == [name for name in names if not hasattr(importlib.import_module(module), name)]


def test_decisions_come_from_the_top():
    """What services use is imported from the package itself."""
    from warden.enforce.sdk.warden import Warden
    from warden.policy.contract.decision import Decision

    assert (Decision, Warden) == (warden.Decision, warden.Warden)
