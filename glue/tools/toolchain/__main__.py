"""``python -m tools.toolchain``: obtain tools and print where they are."""

from collections.abc import Callable, Iterable
from pathlib import Path

import click

from tools.command_line import run
from tools.toolchain.build_opa import obtain_opa
from tools.toolchain.go_programs import find_osv_scanner, find_promtool, find_regal

__all__ = ["command"]


def _install_java() -> Path:
    from tools.toolchain.java import install_java  # which imports an HTTP client

    return install_java()


def _obtain_jars() -> list[Path]:
    from warden.base.toolchain.jars import obtain_kafka_jars  # as above

    return obtain_kafka_jars()


_TOOLS: dict[str, Callable[[], Path | list[Path]]] = {
    "opa": obtain_opa,
    "osv-scanner": find_osv_scanner,
    "java": _install_java,
    "jars": _obtain_jars,
    "promtool": find_promtool,
    "regal": find_regal,
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
        paths = _TOOLS[tool]()
        for path in paths if isinstance(paths, list) else [paths]:
            click.echo(path)
    return 0


if __name__ == "__main__":
    run(command)
