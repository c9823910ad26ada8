"""Run a command of this package as a program: its exit status, and errors as one sentence."""

import sys
from typing import NoReturn

import click

from warden.base.errors import WardenError

__all__ = ["run"]


def run(command: click.Command) -> NoReturn:
    """End the process with what the command returns; 2 after an error, 130 where it was interrupted.

    Args:
        command: It returns its exit status.
    """
    try:
        sys.exit(command.main(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort:
        sys.exit(130)
    except WardenError as error:
        print(f"warden: {error}", file=sys.stderr)
        sys.exit(2)
