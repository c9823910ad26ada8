"""AdmissionReview (admission.k8s.io/v1): parse a request, and make the answer of a policy's response. No I/O."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from warden.base.errors import InputError
from warden.policy.contract.annotations import apply_response

__all__ = ["Review", "allow", "build_policy_answer", "deny", "parse_review"]

_VERSION: Final = "admission.k8s.io/v1"
_DECIDED: Final = ("CREATE", "UPDATE")


@dataclass(frozen=True)
class Review:
    """A request for admission.

    Args:
        uid: Of the request; the answer carries it.
        operation: ``CREATE``, ``UPDATE``, …
        subresource: Empty for the object itself.
        obj: The object, with version and uid of the one that it replaces; None where there is none.
        name: ``namespace/name`` of the object, for logs; of one that is to be named, its prefix.
        dry_run: Whether nothing is stored.
        is_being_deleted: Whether the stored object is being deleted; what a client writes into a new one says nothing.
    """

    uid: str
    operation: str
    subresource: str
    obj: Any
    name: str
    dry_run: bool
    is_being_deleted: bool = False

    @property
    def pass_reason(self) -> str | None:
        """Why there is nothing to decide; None where there is."""
        if self.operation not in _DECIDED:
            return f"{self.operation} has no placement: register the webhook for {' and '.join(_DECIDED)} only"
        if self.subresource:
            return f"{self.subresource} has no placement: register the webhook without subresources"
        if self.is_being_deleted:
            return "what is being deleted has no placement"
        return None


def parse_review(body: bytes) -> Review:
    """Return the request in an AdmissionReview.

    Raises:
        InputError: It is none, of another version, or has no uid, so that no answer to it is possible.
    """
    try:
        review = json.loads(body)
    except RecursionError:
        raise InputError("the body is nested too deeply to be an AdmissionReview: send the API server's own") from None
    except ValueError as error:
        raise InputError(f"the body is not JSON ({error}): send an AdmissionReview") from None
    if not isinstance(review, dict) or review.get("kind") != "AdmissionReview":
        raise InputError("the body is not an AdmissionReview: register this address as an admission webhook")
    if review.get("apiVersion") != _VERSION:
        raise InputError(
            f"the AdmissionReview is of {review.get('apiVersion')!r}: register admissionReviewVersions: [v1]"
        )
    request = review.get("request")
    if not isinstance(request, dict) or not isinstance(request.get("uid"), str) or not request["uid"]:
        raise InputError("the AdmissionReview has no request with a uid: send the API server's own")
    obj = _with_identity(request.get("object"), request.get("oldObject"))
    return Review(
        request["uid"],
        str(request.get("operation", "")),
        str(request.get("subResource") or ""),
        obj,
        _format_name(request, obj),
        request.get("dryRun") is True,
        _is_being_deleted(request.get("oldObject")),
    )


def build_policy_answer(review: Review, response: Any) -> dict[str, Any]:
    """Return the answer that a policy's response makes: the object with annotations merged, or a denial.

    Args:
        review: The request.
        response: Any JSON value, as of `warden.policy.contract.annotations.apply_response`.

    Raises:
        InputError: It is not a response, or the object cannot carry annotations.
    """
    metadata = review.obj.get("metadata") if isinstance(review.obj, Mapping) else None
    if not isinstance(metadata, Mapping):
        raise InputError("the AdmissionReview has no object with metadata: register the webhook for CREATE and UPDATE")
    annotations = metadata.get("annotations")
    if not isinstance(annotations, Mapping | None):
        raise InputError(
            "metadata.annotations of the object is not an object of names to strings: send the object as it is stored"
        )
    enforcement = apply_response(annotations, response)
    if enforcement.denial is not None:
        return deny(review, 403, enforcement.denial, enforcement.warnings)
    present = annotations or {}
    changed = {key: text for key, text in enforcement.values.items() if present.get(key) != text}
    patch = _build_patch(changed, exists=annotations is not None)
    answer = allow(review, enforcement.warnings)
    if patch:
        encoded = base64.b64encode(json.dumps(patch).encode()).decode()
        answer["response"] |= {"patchType": "JSONPatch", "patch": encoded}
    return answer


def allow(review: Review, warnings: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the answer that admits the object as it is."""
    return _build_answer(review, {"allowed": True}, warnings)


def deny(review: Review, code: int, message: str, warnings: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the answer that refuses the object.

    Args:
        review: The request.
        code: HTTP status that the client gets.
        message: What the client reads.
        warnings: Sentences that it is shown besides.
    """
    reason = "Forbidden" if code == 403 else "BadRequest"
    status = {"code": code, "reason": reason, "message": message}
    return _build_answer(review, {"allowed": False, "status": status}, warnings)


def _build_answer(review: Review, response: dict[str, Any], warnings: tuple[str, ...]) -> dict[str, Any]:
    shown = {"warnings": list(warnings)} if warnings else {}
    return {"apiVersion": _VERSION, "kind": "AdmissionReview", "response": {"uid": review.uid, **response, **shown}}


def _build_patch(changed: Mapping[str, str], *, exists: bool) -> list[dict[str, Any]]:
    """Return a JSON Patch (RFC 6902) that applies to any object; ``add`` replaces what is there."""
    if not changed:
        return []
    if not exists:
        return [{"op": "add", "path": "/metadata/annotations", "value": dict(changed)}]
    return [
        {"op": "add", "path": f"/metadata/annotations/{_escape_pointer(key)}", "value": text}
        for key, text in changed.items()
    ]


def _escape_pointer(key: str) -> str:
    """Return a token of a JSON Pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def _with_identity(obj: Any, stored: Any) -> Any:
    """Return an object with version and uid of the stored one, which a client may leave out of an update."""
    metadata = _get_metadata(obj)
    identity = {name: _get_metadata(stored).get(name) for name in ("resourceVersion", "uid")}
    left_out = {name: value for name, value in identity.items() if value and not metadata.get(name)}
    return {**obj, "metadata": {**metadata, **left_out}} if metadata and left_out else obj


def _is_being_deleted(stored: Any) -> bool:
    return _get_metadata(stored).get("deletionTimestamp") is not None


def _get_metadata(obj: Any) -> Mapping[str, Any]:
    """Return an object's metadata, nothing where it has none that can be read."""
    metadata = obj.get("metadata") if isinstance(obj, Mapping) else None
    return metadata if isinstance(metadata, Mapping) else {}


def _format_name(request: Mapping[str, Any], obj: Any) -> str:
    prefix = _get_metadata(obj).get("generateName")
    names = (request.get("namespace"), request.get("name") or (f"{prefix}…" if prefix else None))
    return "/".join(str(name) for name in names if name)
