"""Types of options that take a path of this machine, or an address as well of Spark's file systems (``s3a://…``)."""

from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from warden.base.files.address import Address, Place, parse_place

__all__ = ["LocalPath", "PlaceType"]


class PlaceType(click.ParamType[Place]):
    """A path or an address.

    Args:
        file_okay: Whether a path may be that of a file.
    """

    name = "path"

    def __init__(self, *, file_okay: bool = True) -> None:
        self._file_okay = file_okay

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Place:
        """As of `click.ParamType`."""
        _refuse_empty(self, value, param, ctx)
        place = parse_place(value) if isinstance(value, str) else value
        if isinstance(place, Path) and not self._file_okay:
            click.Path(file_okay=False).convert(place, param, ctx)
        return place

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Have the shell complete paths."""
        return click.Path().shell_complete(ctx, param, incomplete)


class LocalPath(click.Path):
    """A path of this machine: the type of every option that takes no address, and says so of one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As of `click.ParamType`."""
        _refuse_empty(self, value, param, ctx)
        if isinstance(value, str) and isinstance(parse_place(value), Address):
            self.fail(f"{value} is an address, and this takes a path of this machine", param, ctx)
        if self.exists and value != "-":
            try:
                Path(value).stat()
            except OSError as error:
                self.fail(f"{value}: cannot be read ({error.strerror})", param, ctx)
        return super().convert(value, param, ctx)


def _refuse_empty(
    kind: click.ParamType[Any], value: Any, param: click.Parameter | None, ctx: click.Context | None
) -> None:
    """An empty path would be the current directory: so comes a variable that is not set."""
    if value == "":
        kind.fail("the path is empty: name a file or a directory", param, ctx)
