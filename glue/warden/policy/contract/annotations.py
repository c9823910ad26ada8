"""Apply an answer of the policy to a resource: annotations are merged into its own, errors deny it.

The response is that of `io/k8s/federation/admission`, and the form is the same for Kafka resources, whose configs map
names to strings as annotations do. Nothing here decides anything: a response with errors is a denial, whatever its
annotations say. Where keys overlap, the value of the response replaces the one that is there, as the design of
policy-based federated placement has it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warden.base.errors import InputError

__all__ = ["Enforcement", "apply_response", "encode_annotation", "join_errors", "merge_annotations"]


@dataclass(frozen=True)
class Enforcement:
    """What a response makes of a resource; true exactly when that is allowed.

    Args:
        denial: All reasons in one sentence; None where the resource is allowed.
        values: The annotations or configs it is to have; the present ones where it is denied.
        warnings: Texts for the person who made the request.
    """

    denial: str | None
    values: dict[str, str]
    warnings: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.denial is None


def apply_response(existing: Mapping[str, str] | None, response: Any) -> Enforcement:
    """Apply a response of the policy to what a resource has.

    Args:
        existing: Its annotations or configs; None where it has none.
        response: Any JSON value. ``{"annotations": {…}, "errors": […], "warnings": […]}`` is a response; a field that
            is missing or null is empty.

    Raises:
        InputError: It is not a response, or has an annotation that is null.
    """
    if not isinstance(response, Mapping):
        raise InputError(
            f"the policy's response is {_describe_type(response)}, not an object with annotations, errors and "
            "warnings: check which document of OPA is evaluated"
        )
    errors, warnings = _read_strings(response, "errors"), _read_strings(response, "warnings")
    if errors:
        return Enforcement(join_errors(errors), dict(existing or {}), warnings)
    return Enforcement(None, merge_annotations(existing, _read_object(response, "annotations")), warnings)


def merge_annotations(existing: Mapping[str, str] | None, annotations: Mapping[str, Any]) -> dict[str, str]:
    """Return ``existing`` with each of the annotations added or put in place of the present value; none is removed.

    Args:
        existing: Names to strings.
        annotations: Names to strings or JSON values, which are serialised.

    Raises:
        InputError: A value is null, or cannot be written as JSON.
    """
    return {**(existing or {}), **{name: encode_annotation(name, value) for name, value in annotations.items()}}


def encode_annotation(name: str, value: Any) -> str:
    """Return a value as the string that annotations and configs hold: text unchanged, all else as compact JSON.

    Args:
        name: Of the annotation or config, for messages.
        value: A string or a JSON value; names of objects are sorted, so that equal values give equal texts.

    Raises:
        InputError: The value is null, which would remove the annotation, or has no form in JSON.
    """
    label = name if name.isprintable() else ascii(name)
    if value is None:
        raise InputError(
            f"annotation {label} is null, and an annotation cannot be removed: have the policy set a value"
        )
    try:
        if isinstance(value, str):
            text = value
        else:
            text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(
            f"annotation {label} cannot be written as JSON ({error}): have the policy set a JSON value"
        ) from error
    return text


def join_errors(errors: Sequence[str]) -> str:
    """Return errors as one line: each once, in their order, "; " between them."""
    reasons = dict.fromkeys(error.strip() for error in errors)
    return "; ".join(reason for reason in reasons if reason) or "the policy gives no reason"


def _read_strings(response: Mapping[str, Any], field: str) -> tuple[str, ...]:
    value = response.get(field)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise InputError(f"the policy's response: {field} is not a list of strings: correct the rule that makes it")
    return tuple(value)


def _read_object(response: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    value = response.get(field)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(f"the policy's response: {field} is not an object: correct the rule that makes it")
    return value


def _describe_type(value: Any) -> str:
    names = {type(None): "null", bool: "a boolean", str: "a string", list: "an array"}
    return names.get(type(value), "a number")
