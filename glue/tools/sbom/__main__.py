"""``python -m tools.sbom``: write an SBOM in CycloneDX's JSON."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6

from tools.command_line import run
from tools.locks import IMAGE_LOCK
from tools.sbom.fetched import iter_fetched
from tools.sbom.image import iter_image_parts
from warden.base.errors import ToolchainError
from warden.base.extras import DISTRIBUTION
from warden.base.resources import find_shipped
from warden.base.toolchain.process import run as run_program
from warden.base.version import __version__

__all__ = ["command", "render_environment_sbom", "render_image_sbom", "render_lock_sbom"]

_TIMEOUT_SECONDS = 600.0


def render_environment_sbom(python: Path) -> str:
    """Return the SBOM of an installation: its packages, and what Warden fetches there at first use.

    Args:
        python: The environment's interpreter.

    Raises:
        ToolchainError: It cannot be looked into, or the document is not one of CycloneDX.
    """
    return _complete(_run_cyclonedx("environment", python), iter_fetched())


def render_image_sbom(wheel: Path) -> str:
    """Return the SBOM of the image that the checkout makes: what the lock, the Dockerfile and the wheel say is in it.

    Each package has the hashes of all its files, of which the processor of the image has one. What the image of
    Python consists of its own SBOM says.

    Args:
        wheel: Warden's.

    Raises:
        ToolchainError: As of `render_environment_sbom`.
    """
    parts = iter_image_parts(find_shipped("deploy/docker/Dockerfile").read_text(encoding="utf-8"), wheel)
    subject = Component(type=ComponentType.CONTAINER, name=DISTRIBUTION, version=__version__, bom_ref="image")
    return _complete(_run_cyclonedx("requirements", find_shipped(IMAGE_LOCK)), parts, subject)


def render_lock_sbom() -> str:
    """Return the SBOM of the checkout: all that requirements.lock names, and what Warden fetches.

    Raises:
        ToolchainError: As of `render_environment_sbom`.
    """
    return _complete(_run_cyclonedx("requirements", find_shipped("requirements.lock")), iter_fetched())


def _run_cyclonedx(kind: str, subject: Path) -> dict[str, Any]:
    with TemporaryDirectory(prefix="warden-sbom-") as name:
        file = Path(name) / "found.json"
        # `_complete` validates the whole, of which this is a part; what is not validated is said on stderr.
        options = ("--output-reproducible", "--no-validate", "--output-file", file)
        run_program([sys.executable, "-m", "cyclonedx_py", kind, *options, subject], timeout=_TIMEOUT_SECONDS)
        document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return document


def _complete(document: dict[str, Any], parts: Iterable[Component], subject: Component | None = None) -> str:
    # jsonschema's formats take more than a second to import.
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    # Written out by the library and put into its document as text: reading that back would draw a new serial number.
    bom = Bom(components=parts)
    if subject:
        bom.metadata.component = subject
        bom.register_dependency(subject, bom.components)
    added = json.loads(JsonV1Dot6(bom).output_as_string())
    document["metadata"] |= {"component": added["metadata"]["component"]} if subject else {}
    document["components"] = [*document.get("components", []), *added["components"]]
    named = {dependency["ref"] for dependency in document.get("dependencies", [])}
    lone = [dependency for dependency in added["dependencies"] if dependency["ref"] not in named]
    document["dependencies"] = [*document.get("dependencies", []), *lone]
    text = json.dumps(document, indent=2, sort_keys=True) + "\n"
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ToolchainError(f"the SBOM is not one of CycloneDX: {fault}")
    return text


@click.group(name="python -m tools.sbom", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Write what an installation, the image or the checkout consists of, in CycloneDX's JSON."""


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_OUTPUT = click.option("--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The file.")


@command.command()
@click.argument("python", type=_FILE)
@_OUTPUT
def environment(python: Path, output: Path) -> None:
    """Write the SBOM of the environment of the interpreter PYTHON."""
    output.write_text(render_environment_sbom(python), encoding="utf-8")


@command.command()
@click.argument("wheel", type=_FILE)
@_OUTPUT
def image(wheel: Path, output: Path) -> None:
    """Write the SBOM of the image with WHEEL."""
    output.write_text(render_image_sbom(wheel), encoding="utf-8")


@command.command()
@_OUTPUT
def lock(output: Path) -> None:
    """Write the SBOM of requirements.lock."""
    output.write_text(render_lock_sbom(), encoding="utf-8")


if __name__ == "__main__":
    run(command)
