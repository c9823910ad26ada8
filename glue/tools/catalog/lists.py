"""The catalogue of list-typed configs: what the jars say, with KIP-1161's columns beside it.

The jars are read by reflection (`definitions`). Kept by hand are ``kip_1161.yaml``, the KIP's table, and
``lists_4_1.yaml``, what Kafka 4.1.2, the last release before the KIP, said of the same keys.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from tools.catalog.definitions import COMPONENTS, Definition
from tools.catalog.dynamic import read_private_constant, read_private_field

__all__ = ["read_config_def", "read_config_rows", "read_default", "read_lists", "read_validator"]

_COLUMNS = ("class", "type", "default", "validator", "isEmptyAllowed", "isNullAllowed", "exception", "note")
_KEPT = Path(__file__).resolve().parent


def read_lists(jvm: Any) -> dict[str, Any]:
    """Return the document ``lists``: under ``components``, component → configuration → its row.

    Args:
        jvm: A JVM with the jars of every component (`tools.catalog.jvm`).
    """
    rows = read_config_rows(jvm)
    kept = {name: yaml.safe_load((_KEPT / f"{name}.yaml").read_text("utf-8")) for name in ("kip_1161", "lists_4_1")}
    before, since = kept["lists_4_1"]["configs"], kept["lists_4_1"]["since"]
    for component, configs in rows.items():
        for name, row in configs.items():
            row["before"] = before.get(component, {}).get(name)
            row.update(_read_since(row, since.get(name)))
            row.update(_compare_with_kip(component, name, row, kept["kip_1161"]["rows"]))
    return {"components": rows}


def read_config_rows(
    jvm: Any, *, absent: bool = False, names: Mapping[str, Any] | None = None
) -> dict[str, dict[str, Any]]:
    """Return what the jars say: component → configuration → class, type, default and validator.

    Args:
        jvm: As above.
        absent: Whether a class may be missing, as in the jars of an older release.
        names: Component → names of the keys to read, whatever their type; every list-typed key where not given.
    """
    rows: dict[str, dict[str, Any]] = {}
    for component, definitions in COMPONENTS.items():
        by_name: dict[str, Any] = {}
        for definition in definitions:
            for name, row in _iter_rows(jvm, definition, absent):
                if name in names.get(component, ()) if names is not None else row["type"] == "list":
                    by_name.setdefault(name, row)
        rows[component] = by_name
    return rows


def _iter_rows(jvm: Any, definition: Definition, absent: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    from py4j.protocol import Py4JJavaError

    try:
        keys = read_config_def(jvm, definition).configKeys()
    except Py4JJavaError as error:
        if absent and "NotFound" in str(error.java_exception):
            return
        raise
    for name in keys:
        key = keys[name]
        yield (
            str(name),
            {
                "class": definition.class_name,
                "type": str(key.type.name()).lower(),
                **_format_default(jvm, key),
                **read_validator(key.validator),
            },
        )


def _format_default(jvm: Any, key: Any) -> dict[str, str | None]:
    """The default as a file would have it; classes by name, which Kafka's own text does not do."""
    default = read_default(jvm, key)
    return {name: text and re.sub(r"(^|,)(class|interface) ", r"\1", text) for name, text in default.items()}


def read_default(jvm: Any, key: Any) -> dict[str, str | None]:
    """Return the default as Kafka writes it; a key that has none at all has no entry, unlike one whose is null."""
    if not key.hasDefault():
        return {}
    text = jvm.org.apache.kafka.common.config.ConfigDef.convertToString(key.defaultValue, key.type)
    return {"default": None if text is None else str(text)}


def read_config_def(jvm: Any, definition: Definition) -> Any:
    """Return Kafka's ``ConfigDef``, whatever its visibility."""
    if definition.member.isupper():
        return read_private_constant(jvm, definition.class_name, definition.member)
    owner = jvm.java.lang.Class.forName(definition.class_name)
    arguments = jvm.java.util.ArrayList()
    if definition.takes:
        takes = jvm.java.lang.Class.forName(f"org.apache.kafka.{definition.takes}")
        arguments.add(takes.getDeclaredField("SYSTEM").get(None))
    named = (method for method in owner.getDeclaredMethods() if method.getName() == definition.member)
    member = next(method for method in named if method.getParameterCount() == len(arguments))
    member.setAccessible(True)
    return member.invoke(None, arguments.toArray())


def read_validator(validator: Any) -> dict[str, Any]:
    """Return how values are checked: ``kind`` is ``ConfigDef.ValidList``'s factory, or another validator's class."""
    if validator is None:
        return {"kind": "none"}
    kind = str(validator.getClass().getSimpleName())
    if kind != "ValidList":
        return {"kind": "LambdaValidator" if "Lambda" in kind else kind}
    valid = [str(text) for text in read_private_field(read_private_field(validator, "validString"), "validStrings")]
    try:
        flags = {name: bool(read_private_field(validator, name)) for name in ("isEmptyAllowed", "isNullAllowed")}
    except Exception:  # before 4.2 the class has neither
        return {"kind": "old in", "validStrings": valid}
    return {"kind": "in" if valid else "anyNonDuplicateValues", **flags, "validStrings": valid}


def _read_since(row: Mapping[str, Any], since: str | None) -> dict[str, str]:
    """The release from which the row holds; the keys whose validator the KIP left alone have none."""
    return {"since": since or "4.2.0"} if row["kind"] in {"in", "anyNonDuplicateValues"} else {}


def _compare_with_kip(component: str, name: str, row: Mapping[str, Any], kip: list[dict[str, Any]]) -> dict[str, Any]:
    """The KIP's columns for this row, and what the release does otherwise."""
    for entry in kip:
        if entry["config"] == name and (component in entry["components"]):
            return {"kip": {key: entry[key] for key in _COLUMNS if key in entry}} | _describe_difference(row, entry)
    return {"differs": "not in the KIP's table"} if "since" in row else {}


def _describe_difference(row: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, str]:
    flags = {name: entry.get(name) for name in ("isEmptyAllowed", "isNullAllowed")}
    if None in flags.values():
        said = ", ".join(f"{name} {str(row[name]).lower()}" for name in sorted(flags))
        return {"differs": f"the KIP's table leaves the flags open; the release has {said}"}
    if flags != {name: row[name] for name in flags}:
        said = ", ".join(f"{name} {str(row[name]).lower()}" for name in sorted(flags))
        return {"differs": f"the release has {said}"}
    return {}
