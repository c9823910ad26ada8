"""Ports of 127.0.0.1: one that is free, whether one is in use, whether something listens."""

import socket

from warden.errors import ConfigurationError

__all__ = ["check_free", "free_port", "listens", "port_in_use"]


def free_port() -> int:
    """Return a port that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


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
        raise port_in_use(port) from error


def listens(port: int) -> bool:
    """Return whether something listens on a port."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2):
            return True
    except OSError:
        return False


def port_in_use(port: int) -> ConfigurationError:
    """Return the error for a port that something else listens on."""
    return ConfigurationError(f"port {port} of 127.0.0.1 is in use: stop what listens there, or give another port")
