"""What Kafka's own classes make of values, in the JVM."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["answers", "keys"]


def keys(jvm: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield component, name and Kafka's own ``ConfigKey`` of every list-typed configuration."""
    from tools.catalog.definitions import COMPONENTS
    from tools.catalog.lists import read_config_def

    for component, definitions in COMPONENTS.items():
        seen = set()
        for definition in definitions:
            found = read_config_def(jvm, definition).configKeys()
            for name in found:
                if name not in seen and str(found[name].type.name()) == "LIST":
                    seen.add(name)
                    yield component, str(name), found[name]


def answers(jvm: Any, key: Any, cases: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield, for each case {mode, value?}, what Kafka answers: {errors, values}, values being a list or None.

    The key stands alone in a ``ConfigDef``, so that no other key's fault comes first.
    """
    definition = jvm.org.apache.kafka.common.config.ConfigDef().define(key)
    mapper, kind = jvm.com.fasterxml.jackson.databind.ObjectMapper(), jvm.java.lang.Class.forName("java.util.HashMap")
    name, validator = str(key.name), key.validator
    for case in cases:
        # as one text each way: every call of the JVM costs more than what it does there
        given = mapper.readValue(json.dumps({name: case["value"]} if "value" in case else {}), kind)
        yield _answer(mapper, definition, validator, name, case, given)


def _answer(
    mapper: Any, definition: Any, validator: Any, name: str, case: dict[str, Any], given: Any
) -> dict[str, Any]:
    from py4j.protocol import Py4JJavaError

    try:
        if case["mode"] == "validate":
            answer = definition.validate(given).get(0)
            errors = json.loads(mapper.writeValueAsString(answer.errorMessages()))
            return {"errors": errors, "values": json.loads(mapper.writeValueAsString(answer.value()))}
        if case["mode"] == "parse":
            return {"errors": [], "values": json.loads(mapper.writeValueAsString(definition.parse(given)))[name]}
        if validator is not None:
            validator.ensureValid(name, given.get(name))
        return {"errors": [], "values": case["value"]}
    except Py4JJavaError as error:
        thrown = error.java_exception
        kind = str(thrown.getClass().getSimpleName())
        return {"errors": [str(thrown.getMessage()) if kind == "ConfigException" else kind], "values": None}
