"""The command ``warden``: one module per command, imported only when it is used."""

import errno
import importlib
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

import click

from warden.base.did_you_mean import find_nearest
from warden.base.errors import InputError, WardenError
from warden.base.extras import describe_missing
from warden.base.version import __version__
from warden.commands.shared.output import tolerate_closed_readers

__all__ = ["EXIT_DENIED", "EXIT_ERROR", "EXIT_OK", "CommandGroup", "LazyGroup", "command", "main"]

EXIT_OK = 0
EXIT_DENIED = 1
EXIT_ERROR = 2

# Of the help: what one begins with, and what else there is for whom.
_SECTIONS = (
    ("Start here", ("demo", "check", "run", "init")),
    ("Decide on a change", ("decide", "explain", "topics", "configs", "place")),
    ("Look at an estate", ("snapshot", "scan", "report", "trend", "console", "notify", "upgrade-check")),
    ("Write policy", ("rules", "settings", "waivers", "impact", "bundle", "new", "test")),
    ("Run it", ("opa", "replicate", "gateway", "broker-plugin", "serve", "webhook", "remediate")),
)

# Name → module of this package.
COMMANDS = {name: name.replace("-", "_") for _, names in _SECTIONS for name in names}
_WHOLE = 1000  # characters: a line of help is wrapped, and never cut


class CommandGroup(click.Group):
    """A group whose list of commands is wrapped where the terminal ends; click would cut it there.

    An option's environment variable has the name of its flag; click would take that of the function's parameter.
    """

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command."""
        cmd = self.find_command(ctx, cmd_name)
        if cmd is not None and ctx.auto_envvar_prefix is not None:
            _set_variables(cmd, f"{ctx.auto_envvar_prefix}_{cmd_name}")
        return cmd

    def find_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command as it is defined."""
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, by section."""
        for title, names in self.list_sections(ctx):
            commands = ((name, self.get_command(ctx, name)) for name in names)
            rows = [(name, cmd.get_short_help_str(_WHOLE)) for name, cmd in commands if cmd and not cmd.hidden]
            with formatter.section(title):
                formatter.write_dl(rows)

    def list_sections(self, ctx: click.Context) -> Sequence[tuple[str, Sequence[str]]]:
        """Return the titles of the sections, each with the names of its commands."""
        return [("Commands", self.list_commands(ctx))]


class LazyGroup(CommandGroup):
    """A group whose commands are imported when they are requested, so that ``warden --help`` stays quick.

    Attributes:
        package: The package of its modules.
        modules: Name → module; each has one click command called `command`, which returns its exit status.
    """

    package: str
    modules: Mapping[str, str]

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in their order."""
        return sorted(self.modules)

    def find_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; of a name that is none say which is the nearest."""
        if cmd_name not in self.modules:
            if not ctx.resilient_parsing and (near := find_nearest(cmd_name, self.modules)):
                ctx.fail(f"No such command '{cmd_name}'. Did you mean '{near}'?")
            return None
        cmd: click.Command = importlib.import_module(f"{self.package}.{self.modules[cmd_name]}").command
        return cmd


class _Commands(LazyGroup):
    package, modules = __name__, COMMANDS

    def list_sections(self, ctx: click.Context) -> Sequence[tuple[str, Sequence[str]]]:
        return _SECTIONS

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:  # a socket's; click would take it for standard output and end with 1
            raise InputError(f"the system refuses: {error}") from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "WARDEN"})
@click.version_option(__version__, prog_name="warden")
def command() -> None:
    """Ask one policy about every change to an Apache Kafka estate.

    Every option can also be given as an environment variable: --settings of `warden decide` is WARDEN_DECIDE_SETTINGS.
    Exit status: 0 allowed or clean, 1 denied or violations found, 2 an error; of `warden configs` 1 for errors too, as
    of kafka-configs.sh. It is the same where the reader of the output goes away, as in `warden decide FILE | head -1`.

    \b
    Completion of commands, options and names, in ~/.bashrc (zsh_source and fish_source for those shells):
      eval "$(_WARDEN_COMPLETE=bash_source warden)"
    """  # noqa: D301 - \b is click's mark for lines that stay as they are


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line; an error ends it with one sentence on stderr, a defect with a trace, both with status 2.

    Args:
        arguments: Command and options; those of this process where None.
    """
    try:
        with tolerate_closed_readers():
            status = command.main(arguments, prog_name="warden", standalone_mode=False)
    except click.Abort:
        _end("interrupted", 130)
    except click.ClickException as error:
        _end(error)
    except WardenError as error:
        _end(str(error))
    except ModuleNotFoundError as error:
        _end(describe_missing(error.name))
    except OSError as error:  # a full disk, a directory that may not be written
        advice = ": make room there, or write elsewhere" if error.errno == errno.ENOSPC else ""
        _end(f"the system refuses: {error}{advice}")
    except Exception:  # Python would end with 1, which says that something was denied
        _end(None)
    sys.exit(status if isinstance(status, int) else EXIT_OK)


def _end(why: str | click.ClickException | None, status: int = EXIT_ERROR) -> NoReturn:
    """Print why, None for the defect that is being handled; where standard error takes nothing, the status says it."""
    with suppress(OSError), tolerate_closed_readers():
        if isinstance(why, click.ClickException):
            why.show()
        elif why is not None:
            print(f"warden: {why}", file=sys.stderr)
        else:
            traceback.print_exc()
            print("warden: a defect of Warden, and no decision: please report the lines above", file=sys.stderr)
    sys.exit(status)


def _set_variables(cmd: click.Command, prefix: str) -> None:
    for option in cmd.params:
        flag = next((name for name in option.opts if name.startswith("--")), None)
        if isinstance(option, click.Option) and flag is not None and option.envvar is None:
            option.envvar = re.sub(r"\W", "_", f"{prefix}_{flag[2:]}").upper()
            option.allow_from_autoenv = False
