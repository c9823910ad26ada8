"""What Kafka's own classes make of values, in the JVM."""

from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["answers", "keys"]


def keys(jvm: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield component, name and Kafka's own ``ConfigKey`` of every list-typed configuration."""
    from tools.catalog.definitions import COMPONENTS
    from tools.catalog.lists import config_def

    for component, definitions in COMPONENTS.items():
        seen = set()
        for definition in definitions:
            found = config_def(jvm, definition).configKeys()
            for name in found:
                if name not in seen and str(found[name].type.name()) == "LIST":
                    seen.add(name)
                    yield component, str(name), found[name]


def answers(jvm: Any, key: Any, cases: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield, for each case {mode, value?}, what Kafka answers: {errors, values}, values being a list or None.

    The key stands alone in a ``ConfigDef``, so that no other key's fault comes first.
    """
    definition = jvm.org.apache.kafka.common.config.ConfigDef().define(key)
    writer = jvm.com.fasterxml.jackson.databind.ObjectMapper()
    for case in cases:
        yield _answer(jvm, definition, key, case, writer)


def _answer(jvm: Any, definition: Any, key: Any, case: dict[str, Any], writer: Any) -> dict[str, Any]:
    import json

    from py4j.protocol import Py4JJavaError

    given = jvm.java.util.HashMap()
    if "value" in case:
        given.put(key.name, _java(jvm, case["value"]))
    try:
        if case["mode"] == "validate":
            (answer,) = definition.validate(given)
            errors = [str(message) for message in answer.errorMessages()]
            return {"errors": errors, "values": json.loads(writer.writeValueAsString(answer.value()))}
        if case["mode"] == "parse":
            return {"errors": [], "values": json.loads(writer.writeValueAsString(definition.parse(given)))[key.name]}
        if key.validator is not None:
            key.validator.ensureValid(key.name, given.get(key.name))
        return {"errors": [], "values": case["value"]}
    except Py4JJavaError as error:
        thrown = error.java_exception
        kind = str(thrown.getClass().getSimpleName())
        return {"errors": [str(thrown.getMessage()) if kind == "ConfigException" else kind], "values": None}


def _java(jvm: Any, value: Any) -> Any:
    if not isinstance(value, list):
        return value
    made = jvm.java.util.ArrayList()
    for item in value:
        made.add(item)
    return made
