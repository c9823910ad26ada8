"""TLS contexts that follow their files, so that renewed certificates need no restart."""

import logging
import ssl
from collections.abc import Callable, Sequence
from pathlib import Path

from warden.errors import ConfigurationError
from warden.files.file_version import file_version

__all__ = ["FollowedContext", "client_context", "server_context"]

_LOG = logging.getLogger("warden.webhook")


class FollowedContext:
    """A context that is made anew when one of its files has changed; while the new ones do not fit, the old one stays.

    Args:
        files: The files.
        make: Makes a context of them.

    Raises:
        ConfigurationError: They do not make one now.
    """

    def __init__(self, files: Sequence[Path], make: Callable[[], ssl.SSLContext]) -> None:
        self._files, self._make = tuple(files), make
        self._version = self._look()
        self._context = self._made()

    def current(self) -> ssl.SSLContext:
        """Return the context of the files as they are; of the last that fitted where they do not."""
        version = self._look()
        if version != self._version:
            self._version = version
            try:
                self._context = self._made()
            except ConfigurationError as error:
                _LOG.error("certificate refused, the one before stays", extra={"error": str(error)})
            else:
                _LOG.info("certificate taken up", extra={"files": [str(path) for path in self._files]})
        return self._context

    def _made(self) -> ssl.SSLContext:
        try:
            return self._make()
        except (OSError, ValueError) as error:  # an SSLError is an OSError
            names = " and ".join(str(path) for path in self._files)
            raise ConfigurationError(f"{names} cannot be loaded ({error}): give PEM files that belong together") from (
                error
            )

    def _look(self) -> tuple[object, ...]:
        return tuple(file_version(path) for path in self._files)


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return a context to listen with; each handshake gets the certificate that is in the files by then.

    Raises:
        ConfigurationError: The files cannot be loaded.
    """

    def make() -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        return context

    followed = FollowedContext((certificate, key), make)
    front = make()

    def choose(connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
        connection.context = followed.current()

    front.sni_callback = choose  # called without a server name too
    return front


def client_context(ca_file: Path | None, certificate: tuple[Path, Path] | None) -> FollowedContext:
    """Return what connects to a server: whom it trusts, and with which certificate it logs in.

    Raises:
        ConfigurationError: The files cannot be loaded.
    """

    def make() -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=ca_file)
        if certificate is not None:
            context.load_cert_chain(*certificate)
        return context

    files = [path for path in (ca_file, *(certificate or ())) if path is not None]
    return FollowedContext(files, make)
