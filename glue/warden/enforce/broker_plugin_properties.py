"""Properties that the plugin of brokers (glue/broker_plugin) needs in server.properties, and their faults. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from warden.base.did_you_mean import describe_unknown

__all__ = ["CLASSES", "PREFIX", "SETTINGS", "PluginSettings", "format_properties", "list_problems"]

PREFIX: Final = "warden.broker."
"""What the names of the plugin's own settings begin with."""

CLASSES: Final = {
    "authorizer.class.name": "warden.broker.Authorizer",
    "create.topic.policy.class.name": "warden.broker.CreateTopicPolicy",
    "alter.config.policy.class.name": "warden.broker.AlterConfigPolicy",
}
"""The properties of Kafka that load the plugin, and what each of them has to be on a controller."""

_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
_NUMBER: Final = (r"[1-9][0-9]{0,5}", "a number, 1 to 999999")
SETTINGS: Final = {
    "cluster": (r".+", "the name that the cluster has in Warden's settings and state"),
    "opa.url": (r".*", "an OPA of this machine, as http://127.0.0.1:8181"),
    "opa.token.file": (r".*", "a file"),
    "mode": (r"enforce|dryrun", "enforce or dryrun"),
    "undecided": (r"deny|allow", "deny or allow"),
    "budget.ms": _NUMBER,
    "request.budget.ms": _NUMBER,
    "log.lines": _NUMBER,
    "cluster.topics": (r".*", "names of topics, separated by commas"),
}
"""The plugin's own settings, each with the form of its value and the words for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginSettings:
    """What is to be chosen of a cluster.

    Args:
        cluster: Its name in Warden's settings and state.
        opa_url: The OPA on the same machine.
        token_file: The file with OPA's token; None where OPA wants none.
        mode: ``enforce``, or ``dryrun``: denials are logged and not carried out.
    """

    cluster: str
    opa_url: str = "http://127.0.0.1:8181"
    token_file: str | None = None
    mode: str = "enforce"


def format_properties(settings: PluginSettings) -> list[str]:
    """Return the lines to be added to a controller's server.properties.

    Args:
        settings: What to write.
    """
    own = {"cluster": settings.cluster, "opa.url": settings.opa_url}
    if settings.token_file is not None:
        own["opa.token.file"] = settings.token_file
    own["mode"] = settings.mode
    lines = [f"{name}={value}" for name, value in CLASSES.items()]
    return lines + [f"{PREFIX}{name}={value}" for name, value in own.items()]


def list_problems(properties: Mapping[str, str]) -> list[str]:
    """Return what keeps a broker's file from running the plugin, a sentence each; none of a node without controller.

    Args:
        properties: Those of its server.properties.
    """
    if "controller" not in properties.get("process.roles", ""):
        return []
    return [*_iter_class_problems(properties), *_iter_setting_problems(properties)]


def _iter_class_problems(properties: Mapping[str, str]) -> Iterator[str]:
    for name, wanted in CLASSES.items():
        text = properties.get(name)
        if text is None:
            yield f"{name} is missing: write {wanted}, since the plugin's three classes decide together"
        elif text.strip() != wanted:
            yield f"{name}: {text} has the place of {wanted}, and Kafka takes one class: only one of them can decide"


def _iter_setting_problems(properties: Mapping[str, str]) -> Iterator[str]:
    texts = {name.removeprefix(PREFIX): text.strip() for name, text in properties.items() if name.startswith(PREFIX)}
    for name, text in sorted(texts.items()):
        if name not in SETTINGS:
            yield describe_unknown("property", PREFIX + name, [PREFIX + setting for setting in SETTINGS])
            continue
        form, words = SETTINGS[name]
        if not re.fullmatch(form, text) or (name == "opa.url" and not _is_own(text)):
            yield f"{PREFIX}{name}: {text!r}: give {words}"
    if not texts.get("cluster"):
        yield f"{PREFIX}cluster is missing: give {SETTINGS['cluster'][1]}"


def _is_own(address: str) -> bool:
    """Whether an address is one of the machine itself."""
    try:
        url = urlsplit(address)
    except ValueError:
        return False
    return url.scheme in ("http", "https") and url.hostname in _LOOPBACK
