"""``python -m tools.catalog [--check]``: write the generated part of the catalogue, or say where it is out of date."""

from pathlib import Path

import click

from tools.catalog.reflect import reflect_catalogs
from tools.catalog.render import render
from tools.command_line import run, write_texts
from warden.base.resources import find_shipped

__all__ = ["command"]


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--check", is_flag=True, help="Write nothing; fail when a file differs from what the jars say.")
@click.option("--directory", type=click.Path(path_type=Path), help="The bundle's directory.  [default: bundle/]")
def command(check: bool, directory: Path | None) -> int:
    """Generate the catalogue of Kafka's topic configurations from the pinned Kafka jars.

    \b
    Examples:
      python -m tools.catalog
      python -m tools.catalog --check
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    base = directory or find_shipped("bundle")
    texts = {base / "catalog" / name / "data.yaml": render(document) for name, document in reflect_catalogs().items()}
    return write_texts(texts, "tools.catalog", check=check)


if __name__ == "__main__":
    run(command)
