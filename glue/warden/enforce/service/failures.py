"""Responses to failed requests: Kafka's code and a message, and nothing of what is inside."""

import logging
import math
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web

from warden.base.errors import InputError, KafkaUnreachable, OpaUnauthorized, OpaUnreachable, StoreError, WardenError
from warden.base.http.handler import UNREADABLE
from warden.enforce.service.callers import Throttled, Unauthorized
from warden.enforce.service.wire import encode_error

__all__ = ["answer_failures"]

_LOG = logging.getLogger(__name__)
_UNKNOWN, _UNAUTHENTICATED, _THROTTLED, _INVALID = -1, 58, 89, 42  # Kafka's codes

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def answer_failures(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Answer failures as JSON."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        allowed = {name: value for name, value in error.headers.items() if name == "Allow"}
        return _build_response(error.status, _INVALID, error.reason, allowed)
    except (Unauthorized, Throttled) as error:
        return _encode_admission_error(error)
    except WardenError as error:
        return _encode_failure(error)
    except web.RequestPayloadError:
        return _build_response(400, _INVALID, UNREADABLE)
    except Exception:
        _LOG.exception("a defect")
        return _build_response(500, _UNKNOWN, "the request failed: the service's log says why")


def _encode_admission_error(error: Unauthorized | Throttled) -> web.Response:
    if isinstance(error, Unauthorized):
        return _build_response(401, _UNAUTHENTICATED, str(error), {"WWW-Authenticate": "Bearer"})
    after = {"Retry-After": str(math.ceil(error.seconds))}
    return _build_response(429, _THROTTLED, str(error), after, throttle_ms=math.ceil(error.seconds * 1000))


def _encode_failure(error: WardenError) -> web.Response:
    """Answer a failure of what the service depends on; addresses of it are for the log alone."""
    if isinstance(error, InputError):
        return _build_response(400, _INVALID, str(error))
    _LOG.warning("not answered", extra={"error": str(error)})
    if isinstance(error, OpaUnreachable):
        return _build_response(
            503, _UNKNOWN, "nothing was decided, OPA cannot be reached: ask again", {"Retry-After": "1"}
        )
    if isinstance(error, OpaUnauthorized):
        return _build_response(
            503, _UNKNOWN, "nothing was decided, OPA refuses this service: ask again", {"Retry-After": "1"}
        )
    if isinstance(error, (KafkaUnreachable, StoreError)):
        return _build_response(
            503, _UNKNOWN, "the cluster or its store cannot be reached: ask again", {"Retry-After": "1"}
        )
    return _build_response(500, _UNKNOWN, "nothing was decided: the service's log says why")


def _build_response(
    status: int, code: int, message: str, headers: Mapping[str, str] | None = None, throttle_ms: int = 0
) -> web.Response:
    return web.json_response(encode_error(message, code, throttle_ms), status=status, headers=headers)
