"""A broker's ``server.properties`` as the broker will read it: overridden, and with its config providers resolved."""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from warden.base.errors import InputError
from warden.base.files.properties import load_properties
from warden.base.files.redact import is_secret_name
from warden.policy.bundle.catalog import read_catalog

__all__ = ["HIDDEN", "read_broker_id", "resolve", "without_secrets"]

HIDDEN = "[hidden]"
"""What stands for a secret, as Kafka prints one (``org.apache.kafka.common.config.types.Password``)."""

# ConfigTransformer.DEFAULT_PATTERN: ${provider:[path:]key}
_VARIABLE = re.compile(r"\$\{([^}]*?):(([^}]*?):)?([^}]*?)\}")
_LISTENER = re.compile(r"^listener\.name\.[^.]+\.")

_Provider = Callable[[str, str], str | None]


def resolve(
    properties: Mapping[str, str], overrides: Mapping[str, str] | None = None, environ: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """Return a broker's properties as they are in force when it starts.

    Variables are filled in by Kafka's own providers (KIP-297, KIP-421): EnvVarConfigProvider, FileConfigProvider and
    DirectoryConfigProvider. What they do not know, and what another provider would fill in, stays as it is written.

    Args:
        properties: The file's.
        overrides: Those of ``kafka-server-start.sh --override``; they win.
        environ: The broker's environment.

    Raises:
        InputError: A file that a variable names cannot be read.
    """
    merged = {**properties, **(overrides or {})}
    names = [name.strip() for name in merged.get("config.providers", "").split(",") if name.strip()]
    providers = {name: _find_provider(merged.get(f"config.providers.{name}.class", ""), environ) for name in names}

    def fill(match: re.Match[str]) -> str:
        provider = providers.get(match[1])
        value = None if provider is None else provider(match[3] or "", match[4])
        return match[0] if value is None else value

    return {name: _VARIABLE.sub(fill, value) for name, value in merged.items()}


def read_broker_id(properties: Mapping[str, str]) -> str:
    """Return the broker's id, ``node.id`` or else ``broker.id``.

    Raises:
        InputError: There is none.
    """
    node = properties.get("node.id", properties.get("broker.id", "")).strip()
    if not node:
        raise InputError("the broker has neither node.id nor broker.id: set node.id")
    return node


def without_secrets(properties: Mapping[str, str]) -> dict[str, str]:
    """Return the properties with `HIDDEN` in place of every password: a policy has no use for it, nor its log.

    Kafka says which of its own configs are passwords; of others the policy's table for logs does.
    """
    return {name: HIDDEN if _is_secret(name) else value for name, value in properties.items()}


def _is_secret(name: str) -> bool:
    config = read_catalog("broker")["configs"].get(_LISTENER.sub("", name))
    return is_secret_name(name) if config is None else config["type"] == "password"


def _find_provider(class_name: str, environ: Mapping[str, str]) -> _Provider | None:
    match class_name.rpartition(".")[2]:
        case "EnvVarConfigProvider":
            return lambda _path, key: environ.get(key)
        case "FileConfigProvider":
            return lambda path, key: _read_named_file(Path(path)).get(key)
        case "DirectoryConfigProvider":
            return _read_directory_file
        case _:
            return None


def _read_named_file(path: Path) -> dict[str, str]:
    """Kafka's FileConfigProvider reads with ``Files.newBufferedReader``, which is of UTF-8."""
    return load_properties(path, what="properties file in the broker's variable", encoding="utf-8")


def _read_directory_file(directory: str, name: str) -> str | None:
    path = Path(directory, name)
    try:
        return path.read_text(encoding="utf-8") if path.is_file() else None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}): it is named by a variable of the broker") from error
