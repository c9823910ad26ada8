"""Run a command of this package as a program, and write or check the files that it makes."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import click

from warden.base.errors import WardenError

__all__ = ["run", "write_texts"]


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


def write_texts(texts: Mapping[Path, str], module: str, *, check: bool) -> int:
    """Write the files that differ and say so, and return the exit status: 1 where there are any to check.

    Args:
        texts: What each file should hold.
        module: What makes them.
        check: Whether to write nothing, and to say what to run.
    """
    old = {file: text for file, text in texts.items() if not file.is_file() or file.read_text(encoding="utf-8") != text}
    for file, text in old.items():
        if check:
            click.echo(f"{file} is out of date: run `python -m {module}`", err=True)
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        click.echo(f"wrote {file}")
    return int(check and bool(old))
