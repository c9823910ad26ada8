"""Paths of the rules, the bundle data and OPA's configuration: in the checkout, or inside the installed package."""

from pathlib import Path

from warden.errors import ConfigurationError

__all__ = ["share"]

_PACKAGE = Path(__file__).resolve().parent


def share(name: str) -> Path:
    """Return the path of a file or directory that ships with Warden.

    Args:
        name: ``policies``, ``bundle`` or ``opa-config.yaml``.

    Raises:
        ConfigurationError: The installation is incomplete.
    """
    for base in (_PACKAGE / "_share", _PACKAGE.parent.parent):
        if (base / name).exists():
            return base / name
    raise ConfigurationError(f"{name} is missing from this installation of warden: install it again")
