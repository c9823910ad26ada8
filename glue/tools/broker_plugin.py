"""``python -m tools.broker_plugin``: compile the plugin of brokers (deploy/broker) into one jar."""

import os
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from tools.command_line import run as run_command
from warden.base.errors import ToolchainError
from warden.base.toolchain import versions
from warden.base.toolchain.java import find_java
from warden.base.toolchain.process import run
from warden.base.version import __version__
from warden.demo.class_path import kafka_class_path

__all__ = ["SOURCES", "build_plugin", "command", "find_compiler"]

SOURCES: Final = Path(__file__).resolve().parents[2] / "deploy" / "broker"
"""Java's source tree; its packages are directories below."""

_MANIFEST: Final = "META-INF/MANIFEST.MF"
_TIMEOUT_SECONDS: Final = 300.0


def find_compiler(environ: Mapping[str, str] = os.environ) -> Path:
    """Return ``javac``: that of the Java that the toolchain has, else the one on ``PATH``.

    Args:
        environ: The environment: ``JAVA_HOME``, ``PATH``, ``WARDEN_CACHE``.

    Raises:
        ToolchainError: There is a Java runtime at most.
    """
    own = find_java(environ) / "bin" / "javac"
    found = str(own) if own.exists() else shutil.which("javac", path=environ.get("PATH"))
    if found is None:
        raise ToolchainError(
            "javac was not found: install a JDK of Java 17 or newer, and put it on PATH or name it in JAVA_HOME"
        )
    return Path(found)


def build_plugin(jar: Path, release: str = versions.KAFKA) -> Path:
    """Compile the sources against a broker's own jars, and return the jar: of one compiler always the same bytes.

    Args:
        jar: Where it goes; its directory is made.
        release: Of Kafka, as ``4.3.1``.

    Raises:
        ToolchainError: There is no compiler, it refuses the sources, or the broker's jars cannot be had.
    """
    sources = sorted(str(path) for path in SOURCES.rglob("*.java"))
    with tempfile.TemporaryDirectory(prefix="warden-javac-") as directory:
        options = ["--release", "17", "-Xlint:all", "-Werror", "-proc:none", "-encoding", "UTF-8", "-g:source,lines"]
        command = [str(find_compiler()), *options, "-cp", kafka_class_path(release), "-d", directory, *sources]
        run(command, environ={**os.environ, "LC_ALL": "C.UTF-8"}, timeout=_TIMEOUT_SECONDS)
        classes = {str(path.relative_to(directory)): path.read_bytes() for path in Path(directory).rglob("*.class")}
    jar.parent.mkdir(parents=True, exist_ok=True)
    manifest = (
        f"Manifest-Version: 1.0\r\nImplementation-Title: warden-broker\r\nImplementation-Version: {__version__}\r\n\r\n"
    )
    with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in [(_MANIFEST, manifest.encode()), *sorted(classes.items())]:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return jar


@click.command(name="python -m tools.broker_plugin", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path(f"build/warden-broker-{__version__}.jar"),
    show_default=True,
    help="The jar.",
)
@click.option(
    "--kafka", metavar="RELEASE", default=versions.KAFKA, show_default=True, help="Whose jars it is compiled against."
)
def command(output: Path, kafka: str) -> int:
    r"""Compile the plugin that asks OPA inside Kafka's brokers, and print where its jar is.

    It needs a JDK of Java 17 or newer; Kafka's jars are those that the demo runs on.

    \b
    Examples:
      python -m tools.broker_plugin
      python -m tools.broker_plugin --output /opt/kafka/libs/warden-broker.jar
    """
    click.echo(build_plugin(output, kafka))
    return 0


if __name__ == "__main__":
    run_command(command)
