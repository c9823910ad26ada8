"""The parts of one release of Kafka, and how another differs from them."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tools.catalog.history import list_server_jars
from tools.catalog.jvm import run_kafka_jvm
from tools.catalog.reflect import build_config_entry
from tools.catalog.resources import read_definition

__all__ = ["ReleaseParts", "iter_changes", "reflect_release"]

ReleaseParts = Mapping[str, Any]
"""``configs`` by kind and name, ``apis`` with their first and last version, ``errors`` with their codes."""

_COMPARED: Final = ("type", "default", "min", "max", "or", "validStrings")
_KINDS: Final = ("broker", "topic", "group", "clientMetrics")


def reflect_release(patch: str, jars: Sequence[Path] | None = None) -> dict[str, Any]:
    """Return what a release has, from the jars of its server.

    Args:
        patch: The release with its patch, such as ``4.4.0``, from 3.5 on.
        jars: Those of its server; fetched where they are not given.

    Raises:
        ToolchainError: Java or the jars cannot be had.
    """
    with run_kafka_jvm(patch, jars or list_server_jars(patch)) as jvm:
        protocol = jvm.org.apache.kafka.common.protocol
        configs = {kind: _read_configs(jvm, kind) for kind in _KINDS}
        apis = {
            str(api.name): [int(api.oldestVersion()), int(api.latestVersion())] for api in protocol.ApiKeys.clientApis()
        }
        errors = {str(error.name()): int(error.code()) for error in protocol.Errors.values()}
    return {"kafka": patch, "configs": configs, "apis": apis, "errors": errors}


def _read_configs(jvm: Any, kind: str) -> dict[str, Any]:
    keys = read_definition(jvm, kind)
    return {str(key): build_config_entry(jvm, keys[key], None) for key in keys}


def iter_changes(before: ReleaseParts, after: ReleaseParts) -> Iterator[str]:
    """Yield a line for everything that is not the same in two releases: configs, APIs and errors.

    Args:
        before, after: As `reflect_release` returns them.
    """
    for kind in after["configs"]:
        old, new = before["configs"].get(kind, {}), after["configs"][kind]
        for name in sorted(old.keys() | new.keys()):
            yield from _iter_config_changes(f"{kind} {name}", old.get(name), new.get(name))
    for key, noun in (("apis", "api"), ("errors", "error")):
        old, new = before[key], after[key]
        for name in sorted(old.keys() | new.keys()):
            if name not in new:
                yield f"{noun} {name}: gone"
            elif name not in old:
                yield f"{noun} {name}: new, {_show(new[name])}"
            elif old[name] != new[name]:
                yield f"{noun} {name}: {_show(new[name])}, was {_show(old[name])}"


def _iter_config_changes(key: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> Iterator[str]:
    if new is None:
        yield f"{key}: gone"
    elif old is None:
        yield f"{key}: new, {new['type']}, default {_show(new.get('default', 'none'))}"
    else:
        for field in _COMPARED:
            if old.get(field) != new.get(field):
                yield f"{key}: {field} {_show(new.get(field, 'none'))}, was {_show(old.get(field, 'none'))}"


def _show(value: Any) -> str:
    return " to ".join(map(str, value)) if isinstance(value, list) else str(value)
