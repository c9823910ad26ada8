"""Options and address that all commands that serve have in common."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from warden.base.errors import ConfigurationError
from warden.commands.shared.choice import Choice
from warden.commands.shared.place_option import LocalPath

__all__ = ["config_option", "json_option", "listen_option", "parse_address"]


def config_option(help: str, *, required: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``--config`` of a command that runs on, which names a file.

    Args:
        help: What the file says.
        required: Whether the command does nothing without one.
    """
    return click.option(
        "--config", type=LocalPath(path_type=Path, exists=True, dir_okay=False), required=required, help=help
    )


def listen_option(default: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``--listen`` of a command whose port has probes and nothing else.

    Args:
        default: ``host:port``.
    """
    return click.option(
        "--listen",
        default=default,
        show_default=True,
        metavar="HOST:PORT",
        help="Where /healthz, /readyz and /metrics are served; port 0 takes a free one.",
    )


def json_option(help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``--output`` of a command that runs on, and prints something where it runs once.

    Args:
        help: What is printed.
    """
    return click.option("--output", type=Choice(["text", "json"]), default="text", show_default=True, help=help)


def parse_address(listen: str, example: str) -> tuple[str, int]:
    """Return the host and port of ``--listen``.

    Raises:
        ConfigurationError: It is not host:port.
    """
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise ConfigurationError(f"--listen {listen} is not host:port: give one such as {example}")
    return host.strip("[]"), int(port)
