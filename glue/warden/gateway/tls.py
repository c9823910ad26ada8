"""TLS contexts made of files, made anew when the files change, without a restart."""

import ssl
from collections.abc import Callable, Container, Iterable
from pathlib import Path
from typing import Final, TypeAlias

from warden.errors import ConfigurationError
from warden.gateway.config import GatewayCluster, ListenerTls, UpstreamTls

__all__ = ["ContextOfFiles", "listener_context", "listener_tls", "server_name", "upstream_tls"]

_NAME: Final = "warden_server_name"
_Tls: TypeAlias = ssl.SSLSocket | ssl.SSLObject
_State: TypeAlias = tuple[tuple[int, int, int], ...]


class ContextOfFiles:
    """A context for the connections to come; those that are open keep theirs.

    Args:
        make: Makes a fresh one.
        files: The files that it is made of.
        place: Where the configuration names them, for messages.

    Raises:
        ConfigurationError: The files are none.
    """

    def __init__(self, make: Callable[[], ssl.SSLContext], files: Iterable[Path | None], place: str) -> None:
        self.fresh = make
        self._files: Final = [file for file in files if file is not None]
        self.place = place
        self._seen = self._state()
        self.context = self._made()

    def refresh(self) -> bool:
        """Take the files as they are now, and return whether they have changed.

        Raises:
            ConfigurationError: They have, and do not fit (perhaps not yet): the context is as it was.
        """
        state = self._state()
        if state == self._seen:
            return False
        self._seen = state
        self.context = self._made()
        return True

    def _made(self) -> ssl.SSLContext:
        try:
            return self.fresh()
        except (OSError, ssl.SSLError) as error:
            raise ConfigurationError(f"{self.place}: the files cannot be loaded: {error}") from error

    def _state(self) -> _State:
        found = []
        for file in self._files:
            try:
                status = file.stat()
            except OSError:
                found.append((0, 0, 0))
            else:
                found.append((status.st_ino, status.st_mtime_ns, status.st_size))
        return tuple(found)


def listener_tls(cluster: GatewayCluster) -> ContextOfFiles | None:
    """Return the TLS from clients; None where there is none.

    Raises:
        ConfigurationError: Its files are none.
    """
    tls = cluster.tls
    if tls is None:
        return None
    files = (tls.certificate_file, tls.key_file, tls.client_ca_file)
    return ContextOfFiles(lambda: _server_context(tls), files, f"{cluster.name}: tls")


def listener_context(current: ContextOfFiles, by_name: Container[str] | None = None) -> ssl.SSLContext:
    """Return the context to listen with: every handshake gets the current certificate and authorities.

    Args:
        current: These.
        by_name: The only names that clients may call the gateway by (SNI, RFC 6066), in lower case; None for any.
    """
    front = current.fresh()

    def choose(connection: _Tls, name: str | None, _context: ssl.SSLContext) -> int | None:
        connection.context = current.context
        if by_name is not None and (name is None or name.lower() not in by_name):
            return ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
        setattr(connection, _NAME, (name or "").lower())
        return None

    front.sni_callback = choose
    return front


def server_name(connection: _Tls) -> str:
    """Return the name that a client has called the gateway by, in lower case; "" where it has not."""
    return str(getattr(connection, _NAME, ""))


def upstream_tls(cluster: GatewayCluster) -> ContextOfFiles | None:
    """Return the TLS to brokers; None where there is none.

    Raises:
        ConfigurationError: Its file is none.
    """
    tls = cluster.upstream_tls
    if tls is None:
        return None
    return ContextOfFiles(lambda: _client_context(tls), (tls.ca_file,), f"{cluster.name}: upstreamTls")


def _client_context(tls: UpstreamTls) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=tls.ca_file)


def _server_context(tls: ListenerTls) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tls.certificate_file, tls.key_file)
    if tls.client_ca_file is not None:
        context.load_verify_locations(tls.client_ca_file)
        context.verify_mode = ssl.CERT_REQUIRED
        context.num_tickets = 0  # each connection shows its certificate, to the authorities of now
        context.options |= ssl.OP_NO_TICKET
    return context
