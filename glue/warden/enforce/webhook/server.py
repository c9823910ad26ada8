"""The webhook as an HTTPS server: ``/mutate``, ``/healthz``, ``/readyz`` and ``/metrics``."""

import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from warden.base.errors import ConfigurationError, InputError, OpaError, OpaUnreachable
from warden.base.http.app import build_probe_routes, read_body, serve_application
from warden.base.tls.listener import ListenerTls, build_listener_context, load_server_context
from warden.enforce.webhook.config import WebhookConfig
from warden.enforce.webhook.engine import Engine, redact_opa_addresses
from warden.enforce.webhook.events import AdmissionEvents
from warden.enforce.webhook.metrics import WebhookMetrics
from warden.enforce.webhook.policies import PolicyWatch
from warden.enforce.webhook.review import Review, allow, build_policy_answer, deny, parse_review
from warden.enforce.webhook.without_decision import WithoutDecision, follow_rule
from warden.policy.failover.metrics import build_ranking
from warden.policy.failover.ranking import OpaRanking

if TYPE_CHECKING:
    from aiohttp import web

__all__ = ["Webhook", "serve"]

_LOG = logging.getLogger("warden.enforce.webhook")
_MAX_BODY_BYTES: Final = 8 * 1024 * 1024  # an object has 3 MiB at most, and a review has the old one too
_MAX_CONNECTIONS: Final = 2000  # connections, of 40 KiB each; an API server has one for each review that it waits for
_IGNORED: Final = "OPA unreachable; admitted because KFK-PLC-003 has onError: ignore"
_MARGIN: Final = 0.2  # of the API server's patience, for the way there and back


class Webhook:
    """Answers AdmissionReviews.

    Args:
        engine: Asks OPA.
        metrics: What is counted.
        policies: Knows whether there are policies; None where there always are.
        events: Tells of objects that are refused; None for no events.
        rule: Whether objects pass where OPA is not reached.
        ranking: What is known of several OPAs; None for one.
    """

    def __init__(
        self,
        engine: Engine,
        metrics: WebhookMetrics,
        policies: PolicyWatch | None = None,
        events: AdmissionEvents | None = None,
        rule: WithoutDecision | None = None,
        ranking: OpaRanking | None = None,
    ) -> None:
        self._ranking = ranking
        self._engine, self._metrics, self._policies, self._events = engine, metrics, policies, events
        self._rule = rule or WithoutDecision()
        self._trouble: str | None = None

    def build_application(self) -> "web.Application":
        """Return the application to serve."""
        from aiohttp import web

        from warden.base.http.request_spans import trace_requests

        app = web.Application(client_max_size=_MAX_BODY_BYTES, middlewares=[trace_requests])
        app.add_routes(
            [web.post("/mutate", self._mutate), *build_probe_routes(self._report_readiness, self._metrics.encode)]
        )
        return app

    async def _mutate(self, request: "web.Request") -> "web.Response":
        from aiohttp import web

        try:
            review = parse_review(await read_body(request))
        except InputError as error:
            self._metrics.count_review("", "unreadable")
            return web.json_response({"error": str(error)}, status=400)
        answer = await self._review(review, _parse_timeout(request.query.get("timeout")))
        return web.json_response(answer)

    async def _review(self, review: Review, limit: float) -> dict[str, Any]:
        if review.pass_reason is not None:
            self._metrics.count_review(review.operation, "passed")
            return allow(review, (review.pass_reason,))
        if self._policies is not None and not self._policies.has_policies(_get_namespace(review)):
            self._metrics.count_review(review.operation, "open")
            return allow(review)
        result = "denied"
        try:
            if not isinstance(review.obj, dict):
                raise InputError("the AdmissionReview has no object: send the API server's own")
            with self._metrics.time():
                response = await self._engine.evaluate(review.obj, limit)
            answer = build_policy_answer(review, response)
            result, self._trouble = "allowed" if answer["response"]["allowed"] else "denied", None
        except (OpaError, ConfigurationError) as error:
            self._trouble, result = str(error), "undecided"
            if isinstance(error, OpaUnreachable) and self._rule.lets_pass:
                result, answer = "ignored", allow(review, (_IGNORED,))
            else:
                reason = redact_opa_addresses(str(error))
                answer = deny(
                    review, 403, f"where this object may run was not decided, so that it is refused: {reason}"
                )
        except InputError as error:
            answer = deny(review, 403, str(error))
        except Exception:
            _LOG.exception("a defect")
            result = "undecided"
            answer = deny(review, 403, "where this object may run was not decided: a defect, see the webhook's log")
        self._metrics.count_review(review.operation, result)
        if self._events is not None and not answer["response"]["allowed"]:
            self._events.report_refusal(review, answer["response"]["status"]["message"])
        status = answer["response"].get("status", {})
        level = logging.ERROR if result in ("undecided", "ignored") else logging.INFO
        _LOG.log(
            level,
            result,
            extra={
                "uid": review.uid,
                "object": review.name,
                "operation": review.operation,
                "dryRun": review.dry_run,
                "reason": self._trouble if result == "ignored" else status.get("message"),
            },
        )
        return answer

    async def _report_readiness(self) -> dict[str, Any]:
        """Tell of OPA too, but stay ready without it: a denial that says why needs a webhook that is reached."""
        if self._ranking is not None:
            failure = self._ranking.find_common_failure()
            return {"ready": True, "opa": failure[0] if failure else self._trouble}
        return {"ready": True, "opa": self._trouble}


async def serve(
    config: WebhookConfig,
    address: tuple[str, int],
    tls: ListenerTls,
    stopped: Callable[[], Awaitable[None]],
) -> None:
    """Run the webhook until ``stopped`` returns.

    Args:
        config: Which OPA decides.
        address: Host and port to listen on; port 0 takes a free one, which the log names.
        tls: What is served with.
        stopped: Returns when it is to end; requests under way are answered.

    Raises:
        ConfigurationError: The address or a certificate cannot be had, or the kubeconfig cannot be used.
    """
    if config.kubernetes is not None and config.kubernetes.kubeconfig is not None:
        config.kubernetes.read_access()
    context = build_listener_context(load_server_context(tls, "--certificate", _LOG))
    rule, metrics, ranking = WithoutDecision(), WebhookMetrics(), None
    if config.several is not None:
        ranking = build_ranking(config.several, ("",), _LOG, metrics.registry, "warden_webhook")
    async with (
        Engine(config, rule, ranking) as engine,
        follow_rule(rule, engine.read_without_decision),
        _run_background(config, rule) as (policies, events),
    ):
        app = Webhook(engine, metrics, policies, events, rule, ranking).build_application()
        async with serve_application(app, address, tls=context, most=_MAX_CONNECTIONS) as port:
            _LOG.info("listening", extra={"address": f"{address[0]}:{port}", "opa": config.url})
            await stopped()
            _LOG.info("stopping")


@asynccontextmanager
async def _run_background(
    config: WebhookConfig, rule: WithoutDecision
) -> AsyncIterator[tuple[PolicyWatch | None, AdmissionEvents | None]]:
    """Yield what talks to the API server by itself, as far as the configuration wants it."""
    own = config.kubernetes
    policies = PolicyWatch(own, own.registration, rule) if own and config.from_config_maps else None
    events = AdmissionEvents(own.read_access) if own else None
    workers = [worker for worker in (policies, events) if worker is not None]
    for worker in workers:
        worker.start()
    try:
        yield policies, events
    finally:
        for worker in workers:
            worker.stop()


def _get_namespace(review: Review) -> str:
    metadata = review.obj.get("metadata") if isinstance(review.obj, dict) else None
    return str(metadata.get("namespace") or "") if isinstance(metadata, dict) else ""


def _parse_timeout(timeout: str | None) -> float:
    """Return for how many seconds the API server waits for the decision; it says so as ``?timeout=10s``."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s)", timeout or "")
    seconds = float(match[1]) / (1000 if match[2] == "ms" else 1) if match else 10.0
    return max(0.1, seconds * (1 - _MARGIN))
