"""What the policy wants on a resource, carried out: annotations merged into those that are there, errors as a denial.

The same for Kubernetes objects (annotations) and for Kafka resources (configs): both map names to strings. Nothing here
decides anything: a denial is that the answer has errors, whatever its annotations say.

Follows the design of policy-based federated placement: "if there are overlapping annotation keys the admission
controller replaces the existing value with the value from the response".
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warden.errors import InputError

__all__ = ["Outcome", "carried_out", "differing", "joined", "merged", "serialised"]


@dataclass(frozen=True)
class Outcome:
    """What becomes of a resource.

    Args:
        denial: The reasons in one sentence, None where it is not denied.
        values: Its annotations or configs as they are to be, those that are there where it is denied.
        warnings: What the asker is to be told all the same.
    """

    denial: str | None
    values: dict[str, str]
    warnings: tuple[str, ...] = ()


def carried_out(existing: Mapping[str, str] | None, answer: Mapping[str, Any]) -> Outcome:
    """Carry an answer of the policy out on what a resource has.

    Args:
        existing: Its annotations or configs; Kubernetes writes none as null.
        answer: ``{"annotations": {…}, "errors": […], "warnings": […]}``, each of which may be missing.

    Raises:
        InputError: The answer is not of that form, or has an annotation that is null.
    """
    errors, warnings = _texts(answer, "errors"), _texts(answer, "warnings")
    if errors:
        return Outcome(joined(errors), dict(existing or {}), warnings)
    return Outcome(None, merged(existing, _object(answer, "annotations")), warnings)


def merged(existing: Mapping[str, str] | None, wanted: Mapping[str, Any]) -> dict[str, str]:
    """Return ``existing`` with each value that is wanted in place of the one that is there; nothing is taken away.

    Args:
        existing: Names to strings.
        wanted: Names to strings or JSON documents, which are serialised.

    Raises:
        InputError: A wanted value is null, or cannot be written as JSON.
    """
    return {**(existing or {}), **{name: serialised(name, value) for name, value in wanted.items()}}


def differing(existing: Mapping[str, str] | None, wanted: Mapping[str, Any]) -> dict[str, str]:
    """Return what of ``wanted`` is to be written: values that do not stand for the same as the ones that are there.

    JSON texts are compared as what they stand for, so that spaces and the order of names are no difference.

    Args:
        existing: Names to strings.
        wanted: Names to strings or JSON documents.

    Raises:
        InputError: A wanted value is null, or cannot be written as JSON.
    """
    texts = {name: serialised(name, value) for name, value in wanted.items()}
    there = existing or {}
    return {
        name: text
        for name, text in texts.items()
        if name not in there or (there[name] != text and not _same(_decoded(there[name]), _decoded(text)))
    }


def serialised(name: str, value: Any) -> str:
    """Return a value as the string that annotations and configs hold: text as it is, all else as compact JSON.

    Args:
        name: Its annotation or config, for messages.
        value: A string or a JSON document; the names of objects are sorted, so that the same value is the same text.

    Raises:
        InputError: The value is null, which would take the annotation away, or has no form in JSON.
    """
    if isinstance(value, str):
        return value
    if value is None:
        raise InputError(
            f"annotation {name} is null, and an annotation cannot be taken away: have the policy set a value"
        )
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"annotation {name} cannot be written as JSON ({error}): have the policy set a JSON value"
        ) from error


def joined(errors: Sequence[str]) -> str:
    """Return errors as one line: each once, in the order in which they are told, "; " between them."""
    return "; ".join(dict.fromkeys(error.strip() for error in errors))


def _texts(answer: Mapping[str, Any], field: str) -> tuple[str, ...]:
    value = answer.get(field, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise InputError(f"the policy's answer: {field} is not a list of strings: look at the policy that was asked")
    return tuple(value)


def _object(answer: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    value = answer.get(field, {})
    if not isinstance(value, Mapping):
        raise InputError(f"the policy's answer: {field} is not an object: look at the policy that was asked")
    return value


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: true is not 1, and 1.0 is 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
