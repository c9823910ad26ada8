"""Readers of the fields of a Kafka request whose shape differs from that of a decision input.

A list of structs in Kafka's protocol is an object in the contract, keyed by what it is looked up by.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = [
    "Malformed",
    "build_partition_reader",
    "build_strict_partition_reader",
    "encode_full_change",
    "encode_incremental_change",
    "encode_named_configs",
    "list_replica_assignments",
    "parse_full_change",
    "parse_incremental_change",
    "parse_named_configs",
    "parse_unchanged",
]

CONFIG_OPERATIONS = {0: "SET", 1: "DELETE", 2: "APPEND", 3: "SUBTRACT"}
"""AlterConfigOp.OpType by its code."""

Read = Callable[[Any], Any]


class Malformed(Exception):
    """Raised by a reader of a field; the text says what is wrong. It never leaves ``warden.policy.adapter``.

    Args:
        message: In Kafka's words, where it has some.
        code: Kafka's code and its name.
    """

    def __init__(self, message: str, code: tuple[int, str] = (42, "INVALID_REQUEST")) -> None:
        super().__init__(message)
        self.code = code


def parse_unchanged(value: Any) -> Any:
    """Return what both sides write in the same way; OPA looks at its type."""
    return value


def parse_named_configs(value: Any) -> dict[str, Any]:
    """Return the configs of a new topic; of a name given twice a broker takes the last (4.3, seen)."""
    return {_parse_text(struct, "name"): struct.get("value") for struct in _parse_structs(value)}


def parse_full_change(value: Any) -> dict[str, Any]:
    """Return the change of a legacy AlterConfigs, which replaces all overrides."""
    structs = _parse_structs(value)
    entries = {_parse_text(struct, "name"): struct.get("value") for struct in structs}
    if len(entries) < len(structs):
        raise Malformed("Error due to duplicate config keys")
    return {"mode": "full", "entries": entries}


def parse_incremental_change(value: Any) -> dict[str, Any]:
    """Return the change of an IncrementalAlterConfigs (KIP-339)."""
    return {"mode": "incremental", "ops": [_parse_operation(struct) for struct in _parse_structs(value)]}


def build_partition_reader(field: str) -> Read:
    """Return a reader of structs with a ``partitionIndex``; of a partition named twice the last stands."""
    return lambda value: {_parse_partition(struct): _parse_value(struct, field) for struct in _parse_structs(value)}


def build_strict_partition_reader(field: str, complaint: str, code: tuple[int, str] = (42, "INVALID_REQUEST")) -> Read:
    """As `build_partition_reader`, but a partition named twice is refused with ``complaint`` (``{}``: which)."""

    def read(value: Any) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for struct in _parse_structs(value):
            if _parse_partition(struct) in values:
                raise Malformed(complaint.format(_parse_partition(struct)), code)
            values[_parse_partition(struct)] = _parse_value(struct, field)
        return values

    return read


def list_replica_assignments(value: Any) -> list[Any]:
    """Return the replicas of new partitions, in the order of the partitions."""
    return [_parse_value(struct, "brokerIds") for struct in _parse_structs(value)]


def encode_named_configs(configs: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return configs as CreateTopics writes them."""
    return [{"name": name, "value": value} for name, value in configs.items()]


def encode_full_change(change: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a full change as AlterConfigs writes it."""
    return encode_named_configs(change["entries"])


def encode_incremental_change(change: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return an incremental change as IncrementalAlterConfigs writes it."""
    codes = {name: code for code, name in CONFIG_OPERATIONS.items()}
    return [{"name": op["name"], "configOperation": codes[op["op"]], "value": op.get("value")} for op in change["ops"]]


def _parse_operation(struct: Mapping[str, Any]) -> dict[str, Any]:
    code = struct.get("configOperation")
    if not _is_integer(code) or code not in CONFIG_OPERATIONS:
        raise Malformed(
            f"Unknown operation {code!r} on key {_parse_text(struct, 'name')}: it must be one of 0, 1, 2, 3"
        )
    return {"name": _parse_text(struct, "name"), "op": CONFIG_OPERATIONS[code], "value": struct.get("value")}


def _parse_structs(value: Any) -> Sequence[Mapping[str, Any]]:
    if not isinstance(value, list | tuple) or not all(isinstance(struct, Mapping) for struct in value):
        raise Malformed("must be a list of objects")
    return value


def _parse_text(struct: Mapping[str, Any], field: str) -> str:
    if not isinstance(struct.get(field), str):
        raise Malformed(f"{field}: must be a string")
    return str(struct[field])


def _parse_partition(struct: Mapping[str, Any]) -> str:
    index: Any = struct.get("partitionIndex")
    if not _is_integer(index) or index < 0:
        raise Malformed("partitionIndex: must be a partition number from 0")
    return str(index)


def _parse_value(struct: Mapping[str, Any], field: str) -> Any:
    if field not in struct:
        raise Malformed(f"{field} is missing: give its value")
    value = struct[field]
    return list(value) if isinstance(value, tuple) else value


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
