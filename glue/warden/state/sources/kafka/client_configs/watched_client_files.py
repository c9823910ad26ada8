"""Applications' own properties files beside a replicated cluster, read again when they change."""

from collections.abc import Mapping
from pathlib import Path

from warden.base.errors import InputError
from warden.state.sources.files.documents import Files, read_stamps
from warden.state.sources.kafka.client_configs.client_files import Configs, list_client_files, read_client_files

__all__ = ["ClientFiles"]


class ClientFiles:
    """Reads a directory again whenever a file in it changes.

    Args:
        directory: See `warden.state.sources.kafka.client_configs.client_files.read_client_files`.

    Attributes:
        problem: What is wrong with a file, None where nothing is; what all of them said before stays.
    """

    name = "staticClientConfigs"

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._read: Files | None = None
        self._configs: Configs | None = None
        self.problem: str | None = None

    def read_part(self) -> Mapping[str, Configs]:
        """Look at the files, and return ``staticClientConfigs``; nothing where they could never be read."""
        try:
            files = read_stamps(list_client_files(self._directory))
            if files != self._read:
                self._configs, self._read = read_client_files(self._directory), files
            self.problem = None
        except InputError as error:
            self._read, self.problem = None, str(error)
        return {} if self._configs is None else {self.name: self._configs}

    def close(self) -> None:
        """Nothing is held."""
