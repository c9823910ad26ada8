"""Types of options that take a path of this machine, or an address as well of Spark's file systems (``s3a://…``)."""

from typing import Any

import click
from click.shell_completion import CompletionItem

from warden.base.files.address import Address, Place, parse_place

__all__ = ["LocalPath", "PlaceType"]


class PlaceType(click.ParamType[Place]):
    """A path or an address."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Place:
        """As of `click.ParamType`."""
        return parse_place(value) if isinstance(value, str) else value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Have the shell complete paths."""
        return click.Path().shell_complete(ctx, param, incomplete)


class LocalPath(click.Path):
    """A path of this machine, of an option beside whose like others take addresses."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As of `click.ParamType`."""
        if isinstance(value, str) and isinstance(parse_place(value), Address):
            self.fail(f"{value} is an address, and this takes a path of this machine", param, ctx)
        return super().convert(value, param, ctx)
