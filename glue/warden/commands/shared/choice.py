"""Type of options and arguments that take one of some names."""

from typing import TYPE_CHECKING, Any

import click

from warden.base.did_you_mean import find_nearest

__all__ = ["Choice"]

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # no generic class in click 8.1


class Choice(_Choice):
    """As click's, but a name that is not among them is answered with the nearest, as that of a command or an option is.

    Raises:
        click.BadParameter: There is no such name, from `convert`.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            near = find_nearest(str(value), self.choices)
            if near is None:
                raise
            raise click.BadParameter(f"{error.message} Did you mean '{near}'?", ctx, param) from error
