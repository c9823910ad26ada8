"""The manual page ``warden.1``: roff, made from what the commands say of themselves under ``--help``."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path
from typing import Final

import click

from warden.base.version import __version__
from warden.commands import EXIT_DENIED, EXIT_ERROR, EXIT_OK, command

__all__ = ["CommandHelp", "iter_commands", "render_manual"]

_INSTALL: Final = Path("docs/start/install.md")
_VARIABLE: Final = re.compile(r"^\| `([A-Z_]+)` \| (.*) \|$", re.MULTILINE)
_NOTE: Final = '.\\" Made by `python -m tools.pages`: change the help of the commands in glue/warden/commands instead.'
# What roff or its terminals would make something else of.
_LETTERS: Final = {
    "\\": "\\e",
    "-": "\\-",
    "'": "\\(aq",
    "`": "\\(ga",
    "^": "\\(ha",
    "~": "\\(ti",
    '"': "\\(dq",
}
_STATUSES: Final = {
    EXIT_OK: "Allowed, or clean.",
    EXIT_DENIED: "Denied, or violations were found.",
    EXIT_ERROR: "An error, which standard error has: nothing was decided.",
    130: "Interrupted.",
}
_CACHE: Final = "Tools that were obtained, and bundles that were built: see WARDEN_CACHE."
_SEE_ALSO: Final = (
    "`warden COMMAND --help` prints what is here about one command, and `warden rules` what a rule is about.",
    "The documentation is in docs/ of the sources, from docs/README.md on.",
)


@dataclass(frozen=True)
class CommandHelp:
    """A command, as its help has it.

    Args:
        path: Its whole name, as in ``warden bundle build``.
        usage: What stands behind the name: ``[OPTIONS] FILE``.
        text: Its help, with click's marks.
        options: Names and text of each option, without ``--help``.
        variables: The environment variables that its options name, each with the option.
        files: Files and directories that are written or read unless an option names others, with that option.
    """

    path: str
    usage: str
    text: str
    options: tuple[tuple[str, str], ...]
    variables: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str], ...]


def iter_commands() -> Iterator[CommandHelp]:
    """Yield ``warden`` and every command below it, in the order of their names."""
    yield from _iter_below(command, "warden", None)


def render_manual(checkout: Path) -> str:
    """Return the page.

    Args:
        checkout: Directory that holds ``docs``: the page about the installation names the variables of the environment.
    """
    root, *commands = iter_commands()
    about = root.text.partition("\n\n")[0].rstrip(".")
    lines = [
        _NOTE,
        f'.TH WARDEN 1 "" "warden {__version__}" "Warden"',
        *(".SH NAME", f"warden \\- {_escape(about[0].lower() + about[1:])}"),
        *(".SH SYNOPSIS", f"\\fBwarden\\fR {_escape(root.usage)}"),
        *(".SH DESCRIPTION", *_iter_text(root.text)),
        *(".SH OPTIONS", *_iter_terms([*root.options, ("-h, --help", "Of each command too: print its help.")])),
        ".SH COMMANDS",
    ]
    for cmd in commands:
        lines += [f".SS {_escape(f'{cmd.path} {cmd.usage}')}", *_iter_text(cmd.text), *_iter_terms(cmd.options)]
    lines += [".SH FILES", *_iter_terms(_list_files(commands))]
    lines += [".SH ENVIRONMENT", *_iter_terms(_list_variables(checkout, commands))]
    lines += [".SH EXIT STATUS", *_iter_terms((str(status), text) for status, text in _STATUSES.items())]
    lines += [".SH SEE ALSO", *map(_escape, _SEE_ALSO)]
    return "\n".join(lines) + "\n"


def _iter_below(cmd: click.Command, name: str, parent: click.Context | None) -> Iterator[CommandHelp]:
    context = click.Context(cmd, parent, info_name=name, **cmd.context_settings)
    options = [parameter for parameter in cmd.get_params(context) if isinstance(parameter, click.Option)]
    records = [option.get_help_record(context) for option in options]
    yield CommandHelp(
        _format_path(context),
        " ".join(cmd.collect_usage_pieces(context)),
        cleandoc((cmd.help or "").partition("\f")[0]),
        tuple(record for record in records if record and "--help" not in record[0].split(", ")),
        tuple(
            (option.envvar, option.opts[0])
            for option in options
            if isinstance(option.envvar, str) and option.show_envvar
        ),
        tuple(
            (str(option.default), option.opts[0])
            for option in options
            if isinstance(option.type, click.Path) and isinstance(option.default, str | Path)
        ),
    )
    if isinstance(cmd, click.Group):
        for below in cmd.list_commands(context):
            child = cmd.get_command(context, below)
            if child and not child.hidden:
                yield from _iter_below(child, below, context)


def _format_path(context: click.Context) -> str:
    """The names of the commands alone: click has the arguments of groups among them."""
    above = f"{_format_path(context.parent)} " if context.parent else ""
    return f"{above}{context.info_name}"


def _list_files(commands: Iterable[CommandHelp]) -> list[tuple[str, str]]:
    users: dict[str, list[str]] = defaultdict(list)
    for cmd in commands:
        for file, option in cmd.files:
            users[file].append(f"{option} of {cmd.path}")
    return [("~/.cache/warden", _CACHE), *((file, f"The default of {', '.join(of)}.") for file, of in users.items())]


def _list_variables(checkout: Path, commands: Iterable[CommandHelp]) -> list[tuple[str, str]]:
    users: dict[tuple[str, str], list[str]] = defaultdict(list)
    for cmd in commands:
        for variable in cmd.variables:
            users[variable].append(cmd.path.removeprefix("warden "))
    about = [
        (name, f"{text[0].upper()}{text[1:]}.".replace("`", ""))
        for name, text in _VARIABLE.findall((checkout / _INSTALL).read_text(encoding="utf-8"))
    ]
    return [*about, *((name, f"{option} of {', '.join(of)}.") for (name, option), of in sorted(users.items()))]


def _iter_text(text: str) -> Iterator[str]:
    """Lines of roff of a help: paragraphs, and behind click's mark lines that stay as they are."""
    for at, paragraph in enumerate(text.split("\n\n")):
        if at:
            yield ".PP"
        if paragraph.startswith("\b\n"):
            yield from (".nf", *map(_escape, paragraph.removeprefix("\b\n").splitlines()), ".fi")
        else:
            yield from map(_escape, paragraph.splitlines())


def _iter_terms(terms: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, text in terms:
        yield from (".TP", f"\\fB{_escape(name)}\\fR", _escape(" ".join(text.split())))


def _escape(text: str) -> str:
    """A line of text as roff has it: ASCII, and no request whatever it begins with."""
    escaped = "".join(_LETTERS.get(char) or (char if char.isascii() else f"\\[u{ord(char):04X}]") for char in text)
    return f"\\&{escaped}" if escaped.startswith(".") else escaped
