"""The engine beside the oracle: decisions in batches, under settings where no rule of Warden's own denies."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from tests.oracle.broker import Answer, Answers
from tests.oracle.cases.sampling import Case
from warden.base.resources import find_shipped
from warden.base.toolchain import versions
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.bundle.opa import evaluate_opa

__all__ = ["Engine"]

_SHOWN = Path(__file__).parent / "shown.rego"
_CLUSTER = "oracle"


class Engine:
    """A bundle whose rules are all disabled, so that what is denied is denied as Kafka denies it.

    Args:
        opa: The OPA binary.
        directory: Where the bundle is built.
    """

    def __init__(self, opa: Path, directory: Path) -> None:
        shipped = yaml.safe_load((find_shipped("bundle") / "settings" / "data.yaml").read_text(encoding="utf-8"))
        settings = directory / "settings.yaml"
        settings.write_text(yaml.safe_dump({"rules": {rule: {"mode": "disabled"} for rule in shipped["rules"]}}))
        self._opa = opa
        self._bundle: Bundle = build_bundle(directory / "bundle.tar.gz", settings=settings, opa=opa)

    def answers(
        self,
        cases: Sequence[Case],
        state: Mapping[str, Any],
        after: Callable[[Case, Any, Any], Any] | None = None,
        before: Callable[[Case], Any] | None = None,
    ) -> Answers:
        """Return what becomes of each case.

        Args:
            cases: The cases.
            state: The part of ``clusterState`` that they share.
            after: Picks what is compared out of a case, the state that rules see as requested, and the change to it or
                null; None where nothing is compared.
            before: Picks the same out of what is there before a case, which is there after its refusal too; None where
                that is not compared.
        """
        items = {
            case.name: {"operation": case.operation, "request": case.request, "clusterState": case.state}
            for case in cases
        }
        whole = {**state, "catalog": {"release": versions.KAFKA, **state.get("catalog", {})}}
        document = {"items": items, "common": {"cluster": _CLUSTER, "clusterState": whole}}
        decisions = self.evaluate("data.kafka.decisions", document)
        return {case.name: _answer(case, decisions[case.name], after, before) for case in cases}

    def evaluate(self, query: str, document: Any) -> Any:
        """Return the value of a query in the bundle, with ``document`` as its input."""
        arguments = ["--bundle", str(self._bundle.path), "--data", str(_SHOWN), query]
        return evaluate_opa(self._opa, *arguments, stdin=json.dumps(document))


def _answer(
    case: Case,
    decision: Mapping[str, Any],
    after: Callable[[Case, Any, Any], Any] | None,
    before: Callable[[Case], Any] | None,
) -> Answer:
    if not decision["allowed"]:
        return Answer(decision["error"]["code"], tuple(decision["errors"]), before(case) if before else None)
    (shown,) = (violation["message"] for violation in decision["violations"] if violation["rule"] == "ORACLE")
    return Answer(0, (), after(case, *json.loads(shown)) if after else None)
