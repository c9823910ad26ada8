"""Applications' own producer and consumer properties, kept in a directory such as a checkout of a repository."""

from pathlib import Path

from warden.base.errors import InputError
from warden.base.files.properties import parse_entries
from warden.base.files.visible_files import iter_visible_files
from warden.state.sources.kafka.read.server_properties import without_secrets

__all__ = ["Configs", "list_client_files", "read_client_files"]

Configs = dict[str, dict[str, dict[str, dict[str, str]]]]
"""The contract's ``staticClientConfigs``: by user, client-id ("" is none), and producer or consumer."""

_KINDS = {"producer.properties": "producer", "consumer.properties": "consumer"}


def list_client_files(directory: Path) -> list[Path]:
    """Return the files below a directory that are named as those of a client, in order.

    Raises:
        InputError: The directory cannot be read.
    """
    try:
        return sorted(iter_visible_files(directory, lambda path: path.name in _KINDS))
    except OSError as error:
        raise InputError(f"{error.filename or directory}: cannot be read ({error.strerror}): mend the path") from error


def read_client_files(directory: Path) -> Configs:
    """Return what applications' files say, as ``data.clusters[<cluster>].staticClientConfigs`` has it.

    ``<user>/<client-id>/producer.properties`` is what the producers of a client say, ``consumer.properties`` what its
    consumers do; without a directory for the client-id it is that of clients without one. Files are read as
    ``java.util.Properties`` does; passwords become ``[hidden]``.

    Raises:
        InputError: A file cannot be read, lies elsewhere, or contradicts its place; the text names it and the key.
    """
    configs: Configs = {}
    for path in list_client_files(directory):
        directories = path.relative_to(directory).parts[:-1]
        if len(directories) not in (1, 2):
            raise InputError(
                f"{path}: lies neither in <user>/ nor in <user>/<client-id>/ of {directory}: "
                "the directories' names tell whose file it is, move it"
            )
        user, client = (*directories, "")[:2]
        configs.setdefault(user, {}).setdefault(client, {})[_KINDS[path.name]] = _read(path, user, client)
    return configs


def _read(path: Path, user: str, client: str) -> dict[str, str]:
    try:
        entries = parse_entries(path.read_bytes().decode("iso-8859-1"), path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}): mend or remove the file") from error
    for entry in entries:
        if entry.key == "client.id" and entry.value != client:
            raise InputError(
                f"{path}:{entry.line}: client.id: {entry.value!r} is not the client that the directories name: "
                f"move the file to {user}/{entry.value}/, or correct it"
            )
    return without_secrets({entry.key: entry.value for entry in entries})
