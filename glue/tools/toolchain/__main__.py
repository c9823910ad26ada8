"""``python -m tools.toolchain``: obtain tools and print where they are."""

from collections.abc import Callable, Iterable
from pathlib import Path

import click

from tools.command_line import run

__all__ = ["command"]


def _opa() -> list[Path]:
    from tools.toolchain.opa import obtain_opa

    return [obtain_opa()]


def _java() -> list[Path]:
    from tools.toolchain.java import obtain_java

    return [obtain_java()]


def _jars() -> list[Path]:
    from warden.base.toolchain.jars import kafka_jars

    return kafka_jars()


def _regal() -> list[Path]:
    from tools.toolchain.go_programs import find_regal

    return [find_regal()]


def _promtool() -> list[Path]:
    from tools.toolchain.go_programs import find_promtool

    return [find_promtool()]


def _osv_scanner() -> list[Path]:
    from tools.toolchain.go_programs import find_osv_scanner

    return [find_osv_scanner()]


_TOOLS: dict[str, Callable[[], list[Path]]] = {
    "opa": _opa,
    "osv-scanner": _osv_scanner,
    "java": _java,
    "jars": _jars,
    "promtool": _promtool,
    "regal": _regal,
}


@click.command(name="python -m tools.toolchain", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("tools", metavar="TOOL...", nargs=-1, required=True, type=click.Choice(sorted(_TOOLS)))
def command(tools: Iterable[str]) -> int:
    r"""Obtain tools at their pinned versions and print their paths, one a line.

    TOOL is opa, java (its home directory), jars (Kafka's), osv-scanner, promtool or regal.

    What is obtained is kept in WARDEN_CACHE, by default ~/.cache/warden; a second run only prints.

    \b
    Examples:
      python -m tools.toolchain opa
      WARDEN_CACHE=/srv/warden python -m tools.toolchain opa java jars
    """
    for tool in tools:
        for path in _TOOLS[tool]():
            click.echo(path)
    return 0


if __name__ == "__main__":
    run(command)
