"""Errors from OPA's answers: a status and body that are not a result, as an error of Warden's tree. No I/O."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from warden.base.errors import (
    OpaError,
    OpaEvaluationError,
    OpaInputTooLarge,
    OpaRefused,
    OpaUnauthorized,
    OpaUndefined,
    OpaUnreachable,
)
from warden.policy.opa.retry import parse_retry_after

__all__ = ["build_failure", "parse_answer", "read_text"]

_EVALUATION = ("eval_", "rego_")
_UNAUTHORIZED = (401, 403)
_TOO_LARGE = "request body too large"  # how OPA's message begins; it names the limit and its setting


def parse_answer(body: bytes, url: str) -> dict[str, Any]:
    """Return the JSON object in an answer.

    Raises:
        OpaUnreachable: The body is not a JSON object, so that whatever answered is not OPA.
        OpaEvaluationError: It is nested too deeply to be read.
    """
    try:
        document = json.loads(body)
    except ValueError:
        document = None
    except RecursionError:
        raise OpaEvaluationError(f"{url} answered with JSON that is nested too deeply: check the policy") from None
    if not isinstance(document, dict):
        raise OpaUnreachable(
            f"{url} answered with {_format_excerpt(body)}, which is not OPA's JSON: check that OPA is there"
        )
    return document


def read_text(answer: Mapping[str, Any], field: str) -> str | None:
    """Return a field of an answer; None where it has none, or one that is no string."""
    value = answer.get(field)
    return value if isinstance(value, str) else None


def build_failure(status: int, body: bytes, url: str, headers: Mapping[str, str]) -> OpaError:
    """Return the error for an answer that is not a result (OPA's REST API, section Errors).

    Args:
        status: HTTP status code.
        body: The whole body, of any kind.
        url: The address of the request, for the message.
        headers: Of the answer, under names in any case.
    """
    error = _build_error(status, body, url, headers.get("Location"))
    error.status, error.retry_after = status, parse_retry_after(headers.get("Retry-After"))
    return error


def _build_error(status: int, body: bytes, url: str, location: str | None) -> OpaError:
    if 300 <= status < 400:
        return OpaRefused(f"{url} redirects to {location or 'nowhere'}: give the URL at which OPA itself answers")
    try:
        answer = parse_answer(body, url)
    except OpaError:
        return _build_foreign_error(status, body, url)
    code = read_text(answer, "code")
    kind, sentence = _classify_answer(status, code, answer, url)
    return kind(f"{sentence}: {_format_errors(answer)}", code=code, decision_id=read_text(answer, "decision_id"))


def _classify_answer(status: int, code: str | None, answer: dict[str, Any], url: str) -> tuple[type[OpaError], str]:
    if status in _UNAUTHORIZED:
        return OpaUnauthorized, f"{url} refused this caller ({status})"
    if code == "resource_not_found":
        return OpaUndefined, f"{url} does not exist"
    if status == 400 and str(answer.get("message")).startswith(_TOO_LARGE):
        return OpaInputTooLarge, f"{url} reads no request as large as this"
    if status < 500 and status != 429:
        return OpaRefused, f"{url} refused the request ({status})"
    if any(str(error.get("code", "")).startswith(_EVALUATION) for error in _list_errors(answer)):
        return OpaEvaluationError, f"{url} failed while it evaluated the policy"
    return OpaUnreachable, f"{url} cannot answer now ({status})"


def _build_foreign_error(status: int, body: bytes, url: str) -> OpaError:
    """The body is not OPA's: a proxy or a wrong address. Only the status says anything."""
    if status == 413:
        return OpaInputTooLarge(f"{url} reads no request as large as this: raise the limit of the proxy in front of it")
    kind: type[OpaError] = OpaRefused if 300 <= status < 500 and status != 429 else OpaUnreachable
    if status in _UNAUTHORIZED:
        kind = OpaUnauthorized
    return kind(
        f"{url} answered {status} with {_format_excerpt(body)}, which is not OPA's JSON: check that OPA is there"
    )


def _list_errors(answer: dict[str, Any]) -> list[dict[str, Any]]:
    errors = answer.get("errors")
    return [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []


def _format_errors(answer: dict[str, Any]) -> str:
    """OPA's own words: its message, then each error with its place in the policy."""
    words = [str(answer.get("message", "no reason given"))]
    for error in _list_errors(answer):
        place = error.get("location")
        location = place if isinstance(place, dict) else {}
        where = f" (at {Path(str(location['file'])).name}:{location.get('row')})" if location.get("file") else ""
        words.append(f"{error.get('message', error.get('code'))}{where}")
    return " ".join("; ".join(words).split())


def _format_excerpt(body: bytes) -> str:
    text = body[:60].decode("utf-8", "replace")
    return repr(text + "…" if len(body) > 60 else text) if body else "nothing"
