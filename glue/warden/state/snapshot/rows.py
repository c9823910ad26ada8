"""Conversion of a cluster state to rows of a snapshot and back. Pure; types are checked both ways."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import InputError

__all__ = ["build_cluster_row", "build_cluster_state", "iter_topic_rows"]


def build_cluster_row(cluster: str, state: Mapping[str, Any]) -> dict[str, str]:
    """Return the one row of table ``clusters``: the state without topics, as JSON text with sorted keys.

    Raises:
        InputError: The state is not a JSON object.
    """
    try:
        text = json.dumps({k: v for k, v in state.items() if k != "topics"}, sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError, AttributeError) as error:
        raise InputError(f"cluster {cluster}: the state is not a JSON object ({error})") from error
    return {"state": text}


def iter_topic_rows(where: str, topics: Any, *, partial: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the rows of table ``topics`` in order of name, every column present.

    Args:
        where: What to call the source in an error, such as a cluster's name.
        topics: ``{name: topic}`` as in the contract; fields other than the two numbers may be left out.
        partial: Whether ``configs`` and ``reassigning`` that are left out are not known, and null; else they are empty.

    Raises:
        InputError: A field is missing, unknown or of the wrong type; the text names it.
    """
    if not isinstance(topics, Mapping):
        raise InputError(f"{where}: topics is not an object: write the fields of each topic under its name")
    for name in sorted(topics):
        topic = topics[name]
        if not isinstance(topic, Mapping):
            raise InputError(f"{where}: topics.{name} is not an object: write fields of a topic, such as numPartitions")
        if unknown := sorted(set(topic) - set(_FIELDS)):
            raise InputError(f"{where}: topics.{name}: {describe_unknown('field', unknown[0], _FIELDS)}")
        yield {"topic": name, **{field: _check_field(where, name, field, topic, partial=partial) for field in _FIELDS}}


def build_cluster_state(
    where: str, states: Sequence[Mapping[str, Any]], topics: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the contract cluster state that the rows of one partition hold.

    Raises:
        InputError: A row does not fit; the text names ``where`` and the field.
    """
    if len(states) != 1:
        raise InputError(f"{where}: expected one row for the cluster, found {len(states)}")
    text = states[0].get("state")
    try:
        state = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: column state is not JSON ({error}): take the snapshot again") from error
    if not isinstance(state, dict):
        raise InputError(f"{where}: column state is not the JSON text of an object: take the snapshot again")
    rows_by_topic: dict[str, Any] = {}
    for row in topics:
        name = row.get("topic")
        if not isinstance(name, str):
            raise InputError(f"{where}: a topic row has no topic name in column topic")
        if name in rows_by_topic:
            raise InputError(f"{where}: topic {name} is named twice: name it once")
        rows_by_topic[name] = {k: v for k, v in row.items() if k != "topic" and v is not None}
    return {
        **state,
        "topics": {
            row.pop("topic"): {field: value for field, value in row.items() if value is not None}
            for row in iter_topic_rows(where, rows_by_topic, partial=True)
        },
    }


def _check_field(where: str, name: str, field: str, topic: Mapping[str, Any], *, partial: bool) -> Any:
    fits, expected, default = _FIELDS[field]
    value = topic.get(field, None if partial and field in _UNKNOWN else default)
    if value is None and partial and field in _UNKNOWN:
        return None
    if value is None:
        raise InputError(f"{where}: topics.{name}.{field} is missing: it must be {expected}")
    if not fits(value):
        raise InputError(f"{where}: topics.{name}.{field} is not {expected}")
    return value


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -(2**31) <= value < 2**31


def _is_ints(value: Any) -> bool:
    return isinstance(value, list) and all(_is_int(item) for item in value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_text_or_null(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _is_move(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {"adding", "removing"} and all(map(_is_ints, value.values()))


def _build_map_test(values: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        return isinstance(value, Mapping) and all(isinstance(k, str) and values(v) for k, v in value.items())

    return fits


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


_UNKNOWN = ("configs", "reassigning")  # which a source may not know; null then, and the topic has no such field

# column → (test, what it should be, value where it is left out)
_FIELDS: dict[str, tuple[Callable[[Any], bool], str, Any]] = {
    "numPartitions": (_is_int, "a 32-bit integer", None),
    "replicationFactor": (_is_int, "a 32-bit integer", None),
    "replicasAssignments": (_build_map_test(_is_ints), "an object of partition to list of broker ids", {}),
    "configs": (_build_map_test(_is_text_or_null), "an object of name to string or null", {}),
    "labels": (_build_map_test(_is_text), "an object of name to string", {}),
    "internal": (_is_flag, "true or false", False),
    "markedForDeletion": (_is_flag, "true or false", False),
    "reassigning": (_build_map_test(_is_move), "an object of partition to {adding, removing}, lists of broker ids", {}),
}
