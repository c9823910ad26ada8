"""Warden: the policy system for Apache Kafka estates.

    from warden import Decision, OpaError, Warden

    with Warden("http://127.0.0.1:8181", token, cluster="prod-eu", principal="User:alice") as warden:
        decision = warden.create_topic("shop.orders.created", num_partitions=6, configs={"retention.ms": "86400000"})

What applications may use is in this module, with the errors that they catch, and in `warden.dynamic_clients`; every
other module is internal. docs/reference/python.md lists both.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from warden.base.errors import (
    ConfigurationError,
    ExtraMissing,
    InputError,
    KafkaError,
    KafkaUnreachable,
    OpaError,
    OpaEvaluationError,
    OpaInputTooLarge,
    OpaOutdated,
    OpaRefused,
    OpaTimeout,
    OpaUnauthorized,
    OpaUndefined,
    OpaUnreachable,
    StoreError,
    WardenError,
)
from warden.base.version import __version__
from warden.enforce.sdk.warden import Warden
from warden.policy.contract.decision import Decision, Document, KafkaRefusal, Violation
from warden.policy.contract.severities import Severity

if TYPE_CHECKING:
    from warden.enforce.sdk.admin import PolicyAdminClient
    from warden.enforce.sdk.evaluate import EvaluatedRequest, evaluate_request
    from warden.policy.adapter import (
        Decide,
        Item,
        ParsedRequest,
        Patch,
        Result,
        Suggestion,
        TopicIds,
        apply_annotations,
        build_denied_elements,
        build_results,
        index_topic_ids,
        merge_response,
        parse_request,
        select_allowed,
        suggest_fix,
    )
    from warden.policy.contract.annotations import (
        Enforcement,
        apply_response,
        encode_annotation,
        join_errors,
        merge_annotations,
    )
    from warden.state.sources.kafka.login.connection import Connection, connect

__all__ = [
    "ConfigurationError",
    "Connection",
    "Decide",
    "Decision",
    "Document",
    "Enforcement",
    "EvaluatedRequest",
    "ExtraMissing",
    "InputError",
    "Item",
    "KafkaError",
    "KafkaRefusal",
    "KafkaUnreachable",
    "OpaError",
    "OpaEvaluationError",
    "OpaInputTooLarge",
    "OpaOutdated",
    "OpaRefused",
    "OpaTimeout",
    "OpaUnauthorized",
    "OpaUndefined",
    "OpaUnreachable",
    "ParsedRequest",
    "Patch",
    "PolicyAdminClient",
    "Result",
    "Severity",
    "StoreError",
    "Suggestion",
    "TopicIds",
    "Violation",
    "Warden",
    "WardenError",
    "__version__",
    "apply_annotations",
    "apply_response",
    "build_denied_elements",
    "build_results",
    "connect",
    "encode_annotation",
    "evaluate_request",
    "index_topic_ids",
    "join_errors",
    "merge_annotations",
    "merge_response",
    "parse_request",
    "select_allowed",
    "suggest_fix",
]

# What a plain decision does without is loaded when it is first used.
_MODULES: Final = (
    "warden.policy.adapter",
    "warden.policy.contract.annotations",
    "warden.enforce.sdk.evaluate",
    "warden.state.sources.kafka.login.connection",
    "warden.enforce.sdk.admin",
)


if not TYPE_CHECKING:  # to a type checker every name would be there

    def __getattr__(name: str) -> Any:
        """Return a member of a module that is loaded for it."""
        if name in __all__:
            for module in map(import_module, _MODULES):
                if name in module.__all__:
                    return getattr(module, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return what is public."""
    return __all__
