"""Texts with places to fill in, ``@NAME@``, as they ship beside this module."""

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from warden.base.errors import ConfigurationError

__all__ = ["fill_template", "locate_template", "write_new"]


def locate_template(name: str) -> Traversable:
    """Return a file or directory among the templates, by its path."""
    return files("warden.commands.scaffold") / "templates" / name


def fill_template(text: str, values: Mapping[str, str]) -> str:
    """Return a text with its places filled in."""
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def write_new(texts: Mapping[Path, str]) -> None:
    """Write files, all of them or none.

    Raises:
        ConfigurationError: One of them is there already, or cannot be written.
    """
    there = sorted(str(path) for path in texts if path.exists())
    if there:
        raise ConfigurationError(f"{', '.join(there)}: there already: take another name, or remove it")
    written: list[Path] = []
    for path, text in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                written.append(path)
                file.write(text)
        except OSError as error:
            for other in written:
                other.unlink(missing_ok=True)
            raise ConfigurationError(
                f"{path}: cannot be written ({error.strerror}): name a directory that can be written"
            ) from error
