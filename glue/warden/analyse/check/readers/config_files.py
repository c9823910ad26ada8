"""Configuration files of brokers, of Connect and of clients, and whose file one is: shown by its keys."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warden.analyse.check.model import Declaration, Fault, Found, SkippedDocument
from warden.analyse.check.readers.config_documents import ConfigDocument, read_document
from warden.base.errors import InputError
from warden.state.sources.kafka.read.server_properties import read_broker_id, resolve, without_secrets

__all__ = ["ConfigReading", "is_connector", "is_properties", "parse_config_file"]

_CONNECTOR = "connector.class"
_PROPERTY = re.compile(rb"(?:[ \t\f]*(?:[#!].*)?\r?\n)*[ \t\f]*[A-Za-z][\w.*>-]*[ \t]*=")
_VARIABLE = re.compile(r"\$\{[^}]*:[^}]*\}")


@dataclass(frozen=True)
class ConfigReading:
    """How configuration files are read.

    Args:
        component: Whose files all of them are, as the catalogue of lists names it; None where their keys say it.
        overrides: Those of ``kafka-server-start.sh --override``, which stand over a broker's file.
        resolves: Whether the variables of a broker's config providers are filled in, from the environment and the files
            of this machine: only for a file that one trusts with them.
    """

    component: str | None = None
    overrides: Mapping[str, str] = field(default_factory=dict)
    resolves: bool = False


@dataclass(frozen=True)
class _Form:
    """One component's files.

    Args:
        component: As the catalogue of lists names it.
        keys: It is one where any of them is set.
        needs: And this one besides, where it is not empty.
    """

    component: str
    keys: frozenset[str]
    needs: str = ""


_BOOTSTRAP = "bootstrap.servers"

_FORMS = (
    _Form("connector", frozenset({_CONNECTOR})),
    _Form("broker", frozenset({"process.roles", "node.id", "broker.id", "zookeeper.connect"})),
    _Form("mirror-maker", frozenset({"clusters"})),
    _Form("connect", frozenset({"config.storage.topic", "offset.storage.file.filename", "plugin.path"}), _BOOTSTRAP),
    _Form("streams", frozenset({"application.id"}), _BOOTSTRAP),
)
"""The first that fits is the one."""

_CLIENTS = (
    _Form("producer", frozenset({"acks", "key.serializer", "linger.ms", "transactional.id", "value.serializer"})),
    _Form("consumer", frozenset({"auto.offset.reset", "group.id", "key.deserializer", "value.deserializer"})),
)
"""One of the two has to fit alone."""


def is_properties(content: bytes, path: Path) -> bool:
    """Whether a file is one of properties: by its suffix, or since its first line that says something sets a key."""
    return path.suffix.lower() == ".properties" or _PROPERTY.match(content) is not None


def is_connector(document: Any) -> bool:
    """Whether JSON is a connector's: its configs, or Connect's ``{"name": …, "config": {…}}``."""
    if not isinstance(document, dict):
        return False
    return any(isinstance(configs, dict) and _CONNECTOR in configs for configs in (document, document.get("config")))


def parse_config_file(content: bytes, path: Path, reading: ConfigReading) -> Iterator[Found]:
    """Yield the configuration in a file, or why it is none.

    Args:
        content: The file.
        path: Its name.
        reading: How it is read.
    """
    try:
        document = read_document(content, path)
        component = reading.component or _find_component(document)
        if component is None:
            yield SkippedDocument(str(path), 1, "properties of no component that is known")
        else:
            yield (
                _build_broker_declaration(document, reading)
                if component == "broker"
                else _build_other_declaration(document, component)
            )
    except InputError as error:
        yield Fault.of_error(error, path)


def _find_component(document: ConfigDocument) -> str | None:
    keys = document.configs.keys()
    for form in _FORMS:
        if form.keys & keys and (not form.needs or form.needs in keys):
            return form.component
    if _BOOTSTRAP not in keys:
        return None
    fitting = [form.component for form in _CLIENTS if form.keys & keys]
    if len(fitting) > 1:
        raise InputError(f"{document.file}: these may be {' or '.join(fitting)} properties: say which by --component")
    return fitting[0] if fitting else "admin"


def _build_broker_declaration(document: ConfigDocument, reading: ConfigReading) -> Declaration:
    written = {name: value for name, value in document.configs.items() if value is not None}
    configs = resolve(written, reading.overrides) if reading.resolves else {**written, **reading.overrides}
    hidden = without_secrets(configs)
    left = set() if reading.resolves else {name for name, value in hidden.items() if _VARIABLE.search(value)}
    known = {name: value for name, value in hidden.items() if name not in left}
    request = {"broker": read_broker_id(configs), "configs": known}
    unknown = tuple(f"/request/configs/{_escape_pointer(name)}" for name in sorted(left))
    return _build_declaration(document, "broker", "StartBroker", request, unknown=unknown)


def _build_other_declaration(document: ConfigDocument, component: str) -> Declaration:
    hidden = without_secrets({name: value for name, value in document.configs.items() if value is not None})
    return _build_declaration(document, component, "", {"configs": {**document.configs, **hidden}})


def _build_declaration(
    document: ConfigDocument,
    component: str,
    operation: str,
    request: Mapping[str, Any],
    *,
    unknown: tuple[str, ...] = (),
) -> Declaration:
    return Declaration(
        format="json" if document.file.suffix.lower() == ".json" else "properties",
        operation=operation,
        request=request,
        file=str(document.file),
        line=1,
        lines={f"configs/{name}": line for name, line in document.lines.items()},
        unknown=unknown,
        component=component,
        unfixable="properties are left to people",
    )


def _escape_pointer(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
