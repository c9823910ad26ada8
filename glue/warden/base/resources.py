"""Paths of the rules, the bundle data and OPA's configuration: in the checkout, or inside the installed package."""

from pathlib import Path
from pkgutil import get_data

from warden.base.errors import ConfigurationError

__all__ = ["find_shipped", "read_shipped"]

_PACKAGE = Path(__file__).resolve().parents[1]


def find_shipped(name: str) -> Path:
    """Return the path of a file or directory that ships with Warden.

    Args:
        name: ``policies``, ``bundle``, ``schemas`` or ``deploy/opa-config.yaml``.

    Raises:
        ConfigurationError: The installation is incomplete.
    """
    for base in (_PACKAGE / "_share", _PACKAGE.parent.parent):
        if (base / name).exists():
            return base / name
    raise ConfigurationError(f"{name} is missing from this installation of warden: install it again")


def read_shipped(*path: str) -> str:
    """Return the text of a file that ships with Warden, also where Warden's modules came as a zip file.

    Args:
        path: As in ``("policies", "system", …)``.

    Raises:
        ConfigurationError: The installation is incomplete.
    """
    try:
        return find_shipped(path[0]).joinpath(*path[1:]).read_text(encoding="utf-8")
    except ConfigurationError:
        try:
            packed = get_data("warden", "/".join(("_share", *path)))
        except OSError:
            packed = None
        if packed is None:
            raise
        return packed.decode("utf-8")
