"""Kafka's definitions of topic configs (validators, broker synonyms) and internal topics, read from its jars.

Sources, in the jars: ``LogConfig.CONFIG``, ``ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS``,
``common.internals.Topic``; for other resources see `resources`.
"""

import re
import unicodedata
from collections.abc import Mapping, MutableSequence
from functools import partial
from typing import Any

from tools.catalog.acls import read_acls
from tools.catalog.dynamic import read_private_field
from tools.catalog.jvm import run_kafka_jvm
from tools.catalog.lists import read_default, read_lists
from tools.catalog.meanings import add_no_limits
from tools.catalog.quotas import read_quotas, read_scram
from tools.catalog.resources import read_definition, read_resources
from warden.base.toolchain import versions

__all__ = ["build_config_entry", "read_kinds", "reflect_catalogs"]

_UNITS = {"1": "ms", "60000": "minutes", "3600000": "hours"}  # what a synonym's converter makes of "1" → its unit


def reflect_catalogs(version: str = versions.KAFKA) -> dict[str, dict[str, Any]]:
    """Return the generated documents by the directory they belong in: ``topic``, ``broker``, ``group``, …, ``lists``.

    Args:
        version: The release, the pinned one where not given.

    Raises:
        ToolchainError: Java or the Kafka jars cannot be had.
    """
    with run_kafka_jvm(version) as jvm:
        documents = {
            **read_kinds(jvm),
            "lists": read_lists(jvm),
            "quotas": read_quotas(jvm),
            "scram": read_scram(jvm),
            "acls": read_acls(jvm),
            "digits": {"ascii": _read_digits(jvm)},
        }
        documents["topic"]["internal"] = _list_internal_topics(jvm)
    add_no_limits(documents)
    return {name: {"kafka": version, **document} for name, document in documents.items()}


def read_kinds(jvm: Any) -> dict[str, dict[str, Any]]:
    """Return the catalogues of the kinds of resource that have configs: topics, and those of `read_resources`."""
    synonyms = jvm.org.apache.kafka.server.config.ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS
    keys = read_definition(jvm, "topic")
    configs = {str(name): build_config_entry(jvm, keys[name], synonyms.get(name) or ()) for name in keys}
    inherits = {synonym["name"]: name for name, row in configs.items() for synonym in row["synonyms"]}
    topic = {"configs": configs, **_build_tables(configs, keys), "inherits": inherits}
    return {"topic": topic, **read_resources(jvm, partial(build_config_entry, jvm, synonyms=None), _build_tables)}


def build_config_entry(jvm: Any, key: Any, synonyms: Any) -> dict[str, Any]:
    """Return the catalogue's entry of a ``ConfigDef.ConfigKey``: type, default, and what its validator takes.

    Args:
        jvm: The Py4J view of a JVM with Kafka's jars.
        key: The ``ConfigKey``.
        synonyms: The broker's keys that stand for it; None where it has none of the kind.
    """
    entry: dict[str, Any] = {
        "type": str(key.type.name()).lower(),
        **read_default(jvm, key),
        **_describe_validator(key.validator),
    }
    if synonyms is not None:
        entry["synonyms"] = [_build_synonym(str(key.name), synonym) for synonym in synonyms]
    if key.internalConfig:
        entry["internal"] = True
    return entry


def _build_tables(configs: Mapping[str, Any], keys: Any) -> dict[str, Any]:
    """What every decision looks up, ready-made: each key's type, and the defaults as strings and typed."""
    texts = {name: config["default"] for name, config in configs.items() if config.get("default") is not None}
    typed = {name: _convert_default(keys[name].defaultValue, text) for name, text in texts.items()}
    types = {name: config["type"] for name, config in configs.items()}
    return {"types": types, "defaults": {"configs": texts, "values": typed}}


def _convert_default(default: Any, text: str) -> Any:
    """A default as JSON has it: the JVM hands over numbers and booleans as such; lists are lists, all else is text."""
    if isinstance(default, bool | int | float):
        return default
    return [str(item) for item in default] if isinstance(default, MutableSequence) else text


_RANGE_OR_ONE = re.compile(r"\[(-?\d+),\.\.\.,(-?\d+)\] or (-?\d+)")


def _describe_validator(validator: Any) -> dict[str, Any]:
    """The validator in Kafka's words, and its limits where it is one of the simple kinds."""
    if validator is None:
        return {}
    kind = str(validator.getClass().getSimpleName())
    limits: Mapping[str, Any] = {}
    if kind == "Range":
        limits = {"min": read_private_field(validator, "min"), "max": read_private_field(validator, "max")}
    elif either := _RANGE_OR_ONE.fullmatch(str(validator.toString())):  # GzipCompression's, the only one of its kind
        limits = dict(zip(("min", "max", "or"), map(int, either.groups()), strict=True))
    elif kind == "ValidString":
        limits = {"validStrings": [str(text) for text in read_private_field(validator, "validStrings")]}
    elif kind == "ValidList":
        strings = read_private_field(read_private_field(validator, "validString"), "validStrings")
        limits = {
            "validStrings": [str(text) for text in strings],
            **{name: read_private_field(validator, name) for name in _list_flags(validator)},  # there since KIP-1161
        }
    return {"valid": str(validator.toString()), **{name: value for name, value in limits.items() if value is not None}}


def _list_flags(validator: Any) -> list[str]:
    there = {str(field.getName()) for field in validator.getClass().getDeclaredFields()}
    return sorted(there & {"isEmptyAllowed", "isNullAllowed"})


def _build_synonym(topic_key: str, synonym: Any) -> dict[str, str]:
    """A broker key, and its unit where the topic key is a time: Kafka converts hours and minutes to milliseconds."""
    unit = _UNITS[str(synonym.converter().apply("1"))]
    return {"name": str(synonym.name()), **({"unit": unit} if topic_key.endswith(".ms") else {})}


def _list_internal_topics(jvm: Any) -> list[str]:
    topic = jvm.org.apache.kafka.common.internals.Topic
    names = [topic.GROUP_METADATA_TOPIC_NAME, topic.TRANSACTION_STATE_TOPIC_NAME, topic.SHARE_GROUP_STATE_TOPIC_NAME]
    return sorted(str(name) for name in names if topic.isInternal(name))


def _read_digits(jvm: Any) -> dict[str, str]:
    """The digits beside ASCII's that ``Integer.parseInt`` reads, one UTF-16 unit each, and their values."""
    units = (chr(code) for code in range(0x80, 0x10000) if unicodedata.category(chr(code)) == "Nd")
    values = {unit: int(jvm.java.lang.Character.digit(unit, 10)) for unit in units}
    return {unit: str(value) for unit, value in values.items() if value >= 0}
