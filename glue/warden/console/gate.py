"""Access to the console: who looks, and at what they may."""

import base64
import binascii
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from aiohttp import web

from warden.base.errors import ConfigurationError
from warden.base.tls.principals import PrincipalMapper
from warden.console.config import ConsoleConfig, ViewerEntry
from warden.enforce.service.callers import Callers, Unauthorized

__all__ = ["Gate", "Viewer", "get_viewer", "with_viewer"]

_PER_SECOND: Final = 50.0  # requests of one caller


@dataclass(frozen=True)
class Viewer:
    """Somebody who looks.

    Args:
        principal: Who that is; None for whoever is on this machine.
        clusters: The clusters that may be seen; None for all.
        owners: The owners whose resources may be seen; None for all.
    """

    principal: str | None = None
    clusters: frozenset[str] | None = None
    owners: frozenset[str] | None = None

    @property
    def sees_all(self) -> bool:
        """Whether nothing is kept from them."""
        return self.clusters is None and self.owners is None

    def may_see(self, cluster: str | None, owner: str | None) -> bool:
        """Whether they may see what is about a cluster and an owner."""
        return self.may_see_cluster(cluster) and (self.owners is None or owner in self.owners)

    def may_see_cluster(self, cluster: str | None) -> bool:
        """Whether they may see what is about a cluster, if it is about their resources."""
        return self.clusters is None or cluster in self.clusters


_CURRENT: Final = ContextVar[Viewer | None]("viewer", default=None)


def get_viewer() -> Viewer:
    """Return who sends the request that is answered; somebody who sees nothing where that is not known."""
    return _CURRENT.get() or Viewer(None, frozenset(), frozenset())


@contextmanager
def with_viewer(viewer: Viewer) -> Iterator[None]:
    """Have `get_viewer` return somebody until the block ends."""
    token = _CURRENT.set(viewer)
    try:
        yield
    finally:
        _CURRENT.reset(token)


class Gate:
    """Those who may look.

    Args:
        config: The configuration.
        host: The address that is listened on.

    Raises:
        ConfigurationError: A token cannot be read, or nobody has to log in at an address that others reach.
    """

    def __init__(self, config: ConsoleConfig, host: str) -> None:
        self._open = not config.callers
        if self._open and not _is_loopback(host):
            raise ConfigurationError(
                f"anybody who reaches {host} could look: list callers with their tokens, or listen on 127.0.0.1"
            )
        mapper = PrincipalMapper(config.principal_mapping_rules)
        self._callers = Callers(config.read_tokens(), mapper, _PER_SECOND)
        self._viewers = {caller.principal: _build_viewer(caller) for caller in config.callers}

    def authenticate(self, request: web.Request) -> Viewer:
        """Return who sends a request.

        Raises:
            Unauthorized: That is not known, or it is nobody who may look.
            Throttled: They ask too often.
        """
        if self._open:
            # A page of somewhere else, whose name leads to this machine, sends that name.
            if not _is_loopback(_strip_port(request.host)):
                raise Unauthorized("this console is for this machine: open it as http://127.0.0.1")
            return Viewer()
        connection = request.get_extra_info("ssl_object")
        certificate = None if connection is None else connection.getpeercert(True)
        principal = self._callers.authenticate(_read_authorization(request.headers), certificate)
        viewer = self._viewers.get(principal)
        if viewer is None:
            raise Unauthorized(f"{principal} is not among those who may look: add it to callers")
        return viewer


def _build_viewer(looker: ViewerEntry) -> Viewer:
    clusters = None if looker.clusters is None else frozenset(looker.clusters)
    return Viewer(looker.principal, clusters, None if looker.owners is None else frozenset(looker.owners))


def _read_authorization(headers: Mapping[str, str]) -> str | None:
    """The header as a bearer's: a browser asks for a name and a password, which is the token."""
    header = headers.get("Authorization")
    scheme, _, content = (header or "").partition(" ")
    if scheme.lower() != "basic":
        return header
    try:
        decoded = base64.b64decode(content.strip(), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return f"Bearer {decoded.partition(':')[2]}"


def _strip_port(host: str) -> str:
    return host[: host.find("]") + 1].strip("[]") if host.startswith("[") else host.partition(":")[0]


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
