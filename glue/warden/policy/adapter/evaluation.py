"""The decisions about one request: the inputs that OPA still has to decide, and what becomes of it."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from warden.policy.adapter.parse import ParsedRequest
from warden.policy.adapter.response import build_results, select_allowed
from warden.policy.adapter.results import Result
from warden.policy.adapter.suggest import apply_annotations
from warden.policy.contract.decision import Document

__all__ = ["Evaluation"]


class Evaluation:
    """Decides one request in rounds: configs that the policy proposes are merged in and decided again.

    Args:
        parsed: The request.
        refusal: Why all of it is refused without a decision, with Kafka's code and its name; None where it is not.

    Attributes:
        as_kip: As of `warden.policy.adapter.response.build_results`.
    """

    as_kip = True

    def __init__(self, parsed: ParsedRequest, refusal: tuple[int, str, str] | None = None) -> None:
        self.parsed = parsed
        self.inputs: dict[str, Document] = dict(parsed.inputs)
        self.amended: dict[str, Document] = {}
        self.decisions: dict[str, Document] = {}
        self._known: dict[str, list[tuple[Document, Document]]] = {}
        if refusal is not None:
            self.deny_remaining(*refusal)

    def collect_missing(self) -> dict[str, Document]:
        """Return the decision inputs, by item, that OPA has to decide now; nothing once all is decided."""
        missing = {}
        for key, document in self.inputs.items():
            if key in self.decisions:
                continue
            try:
                decide = partial(self._look_up_decision, key)
                merged, decision = apply_annotations(document, decide(document), decide)
            except _Unknown as unknown:
                missing[key] = unknown.document
            else:
                self.decisions[key] = decision
                if merged is not document:
                    self.amended[key] = merged
        return missing

    def add_decisions(self, inputs: Mapping[str, Document], decisions: Mapping[str, Document]) -> None:
        """Add OPA's decisions.

        Args:
            inputs: From `collect_missing`.
            decisions: By the same keys; an item without one is not allowed.
        """
        for key, document in inputs.items():
            self._known.setdefault(key, []).append((document, decisions.get(key, {})))

    def deny_remaining(self, code: int, name: str, message: str) -> None:
        """Deny what is not decided yet, for a reason that is not a rule's."""
        error = {"code": code, "name": name, "message": message}
        denied = {"allowed": False, "errors": [message], "error": error, "violations": []}
        self.decisions = {key: self.decisions.get(key, denied) for key in self.inputs}

    def build_results(self) -> dict[str, Result]:
        """Return the result of each item."""
        return build_results(
            self.parsed,
            self.decisions,
            log=lambda _line: None,  # the gateway's own line has it all
            as_kip=self.as_kip,
        )

    def select_allowed(self, results: Mapping[str, Result]) -> dict[str, Any] | None:
        """Return the request that may go on; None where nothing may."""
        return select_allowed(self.parsed, results, self.amended)

    def _look_up_decision(self, key: str, document: Document) -> Document:
        for evaluated, decision in self._known.get(key, ()):
            if evaluated == document:
                return decision
        raise _Unknown(document)


class _Unknown(Exception):
    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document
