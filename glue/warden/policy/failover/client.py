"""A client for several OPAs, as the one for one OPA: the next one is called where one gives no answer."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from warden.base.errors import OpaError
from warden.policy.failover.attempts import FailoverCall
from warden.policy.failover.failover_reasons import FailoverReason, find_failover_reason
from warden.policy.failover.ranking import OpaRanking
from warden.policy.failover.settings import FailoverSettings
from warden.policy.opa.client import OpaClient
from warden.policy.opa.revision_floor import RevisionFloor

__all__ = ["FailoverClient"]


class FailoverClient(OpaClient):
    """Evaluates at the first OPA that gives an answer; all else goes to the preferred one. Safe to share.

    Args:
        settings: How they are reached.
        ranking: What is known of them.
        floor: What refuses the answers of older bundles; None where any bundle is believed.

    Raises:
        ConfigurationError: The token cannot be read.
    """

    def __init__(self, settings: FailoverSettings, ranking: OpaRanking, floor: RevisionFloor | None = None) -> None:
        super().__init__(settings.addresses[0], **settings.build_client_options(floor))
        self._ranking = ranking
        self._clients = {url: settings.build_client(floor, url) for url in settings.addresses}

    def close(self) -> None:
        """Close all connections."""
        super().close()
        for client in self._clients.values():
            client.close()

    async def ask_one(self, url: str, path: str, document: Any, seconds: float) -> dict[str, Any]:
        """Return what the OPA at one address answers; as `warden.policy.failover.checks.AskOpa`."""
        evaluate = partial(self._clients[url].evaluate_within, seconds, path, document, {})
        return {"result": await asyncio.get_running_loop().run_in_executor(None, evaluate)}

    def _evaluate(self, path: str, document: Any, items: Mapping[str, Mapping[str, Any]]) -> Any:
        attempts = FailoverCall(self._ranking, _find_cluster(document), self.timeout.total)
        while (turn := attempts.take_next()) is not None:
            url, seconds = turn
            try:
                answer = self._clients[url].evaluate_within(seconds, path, document, items)
            except OpaError as error:
                attempts.record_failure(error)
            else:
                if attempts.accept(answer, _inspect(url, path, document, answer)):
                    return answer
        return attempts.use_doubtful_answer()


def _inspect(url: str, path: str, document: Any, answer: Any) -> FailoverReason | None:
    if path == "kafka/decision":
        inputs, decisions = {"": document}, {"": answer}
    elif path == "kafka/decisions":
        inputs, decisions = document["items"], answer
    else:
        return None
    own = any("clusterState" in part for part in _select_parts(document))
    return find_failover_reason(url, decisions, inputs, needs_state=not own)


def _find_cluster(document: Any) -> str:
    """Return the cluster that a decision input, or those of a batch, are about; "" where that is none, or several."""
    names = {part.get("cluster") for part in _select_parts(document)} - {None}
    return str(names.pop()) if len(names) == 1 else ""


def _select_parts(document: Any) -> list[Mapping[str, Any]]:
    """Return the mappings that say what a decision input, or each of a batch, is about."""
    if not isinstance(document, Mapping):
        return []
    items = document.get("items")
    parts = [document, document.get("common"), *(items.values() if isinstance(items, Mapping) else ())]
    return [part for part in parts if isinstance(part, Mapping)]
