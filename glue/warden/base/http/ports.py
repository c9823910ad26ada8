"""Ports of 127.0.0.1: one that is free, whether one is in use, whether something listens."""

import os
import secrets
import socket
import sys
from collections import deque
from contextlib import suppress
from typing import Final

from warden.base.errors import ConfigurationError

__all__ = ["build_port_in_use_error", "check_free", "find_free_port", "is_listening", "list_free_ports"]


_BELOW_CONNECTIONS: Final = range(16384, 32768)
_RESERVATIONS: Final = 64
_reserved: deque[int] = deque()


def find_free_port() -> int:
    """Return a port that is free now, as of `list_free_ports`."""
    (port,) = list_free_ports(1)
    return port


def list_free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on.

    They are below those that a system gives to connections (32768 and more): whoever they are for listens later, and
    meanwhile a connection of any program could take one of these. For the same reason each stays reserved until this
    process ends, or has chosen 64 others, so that neither this process nor another one chooses it a second time.
    """
    ports: list[int] = []
    while len(ports) < count:
        port = secrets.choice(_BELOW_CONNECTIONS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            _reserve(port)
            ports.append(port)
    while len(_reserved) > max(_RESERVATIONS, count):
        os.close(_reserved.popleft())
    return ports


def _reserve(port: int) -> None:
    """Hold a socket without a file whose name is the port's: Linux has such names, one of each in a network namespace.

    Raises:
        OSError: A process holds it already.
    """
    if sys.platform == "linux":
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as held:
            held.bind(f"\0warden-port-{port}")
            _reserved.append(held.detach())


def check_free(port: int) -> None:
    """Return where a port can be listened on.

    Raises:
        ConfigurationError: It is in use, or needs rights that this user has not.
    """
    try:
        with socket.create_server(("127.0.0.1", port)):
            return
    except PermissionError as error:
        raise ConfigurationError(f"port {port} may not be used here: give one above 1023") from error
    except (OSError, OverflowError) as error:
        raise build_port_in_use_error(port) from error


def is_listening(port: int) -> bool:
    """Return whether something listens on a port."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2):
            return True
    except OSError:
        return False


def build_port_in_use_error(port: int) -> ConfigurationError:
    """Return the error for a port that something else listens on."""
    return ConfigurationError(f"port {port} of 127.0.0.1 is in use: stop what listens there, or give another port")
