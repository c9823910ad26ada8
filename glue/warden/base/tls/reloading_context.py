"""TLS contexts that follow their files, so that renewed certificates need no restart."""

import logging
import math
import ssl
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from warden.base.errors import ConfigurationError
from warden.base.files.file_version import read_file_version

__all__ = ["ReloadingContext", "load_client_context"]


class ReloadingContext:
    """A context that is made anew when one of its files has changed; while the new ones do not fit, the old one stays.

    Args:
        make: Makes a context of the files as they are.
        files: The files; None is passed over.
        place: What the files are for, for messages: "listener", or a key of a configuration.
        log: Where changes are logged.
        max_seconds: After how many seconds it is made anew though no file has changed.

    Raises:
        ConfigurationError: The files do not make one now.
    """

    def __init__(
        self,
        make: Callable[[], ssl.SSLContext],
        files: Iterable[Path | None],
        place: str,
        log: logging.Logger,
        max_seconds: float = math.inf,
    ) -> None:
        self._make, self._place, self._log, self._max_seconds = make, place, log, max_seconds
        self._files = [file for file in files if file is not None]
        self._version = self._read_versions()
        self._context, self._made = self.make(), time.monotonic()

    def get_context(self) -> ssl.SSLContext:
        """Return the context of the files as they are, or of the last that fitted; the same one until they change."""
        version, now = self._read_versions(), time.monotonic()
        is_changed = version != self._version
        if is_changed or now - self._made > self._max_seconds:
            self._version, self._made = version, now
            try:
                self._context = self.make()
            except ConfigurationError as error:
                self._log.error("certificates refused, those before stay", extra={"error": str(error)})
            else:
                if is_changed:
                    self._log.info("certificates taken up", extra={"place": self._place})
        return self._context

    def make(self) -> ssl.SSLContext:
        """Return a context of its own, of the files as they are.

        Raises:
            ConfigurationError: They make none.
        """
        try:
            return self._make()
        except (OSError, ValueError) as error:  # an SSLError is an OSError
            names = " and ".join(str(path) for path in self._files)
            raise ConfigurationError(
                f"{self._place}: {names} cannot be loaded ({error}): give PEM files that belong together"
            ) from error

    def _read_versions(self) -> list[object]:
        return [read_file_version(path) for path in self._files]


def load_client_context(
    ca_file: Path | None, certificate: tuple[Path, Path] | None, place: str, log: logging.Logger
) -> ReloadingContext:
    """Return what connects to a server: whom it trusts, and with which certificate and key it logs in.

    Args:
        ca_file: PEM file of certificates to trust; None for the system's.
        certificate: PEM files of certificate and key; None for none.
        place: As of `ReloadingContext`.
        log: As of `ReloadingContext`.

    Raises:
        ConfigurationError: The files cannot be loaded.
    """

    def make() -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=ca_file)
        if certificate is not None:
            context.load_cert_chain(*certificate)
        return context

    return ReloadingContext(make, (ca_file, *(certificate or ())), place, log)
