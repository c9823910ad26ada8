"""``python -m tools.broker_plugin``: compile the plugin of brokers (glue/broker_plugin) into one jar."""

import os
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from tools.command_line import run as run_command
from tools.toolchain.ecj import find_ecj
from warden.base.toolchain import versions
from warden.base.toolchain.java import find_java
from warden.base.toolchain.process import run
from warden.base.version import __version__
from warden.demo.class_path import build_class_path

__all__ = ["SOURCES", "build_plugin", "command", "find_javac"]

SOURCES: Final = Path(__file__).resolve().parents[1] / "broker_plugin"
"""Java's source tree; its packages are directories below."""

_MANIFEST: Final = "META-INF/MANIFEST.MF"
_JAVAC: Final = ("--release", "17", "-Xlint:all", "-Werror", "-g:source,lines")
_EITHER: Final = ("-proc:none", "-encoding", "UTF-8")
_TIMEOUT_SECONDS: Final = 300.0


def find_javac(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return ``javac``: that of the Java that the toolchain has, else the one on ``PATH``; None with a runtime at most.

    Args:
        environ: The environment: ``JAVA_HOME``, ``PATH``, ``WARDEN_CACHE``.

    Raises:
        ToolchainError: There is no Java.
    """
    own = find_java(environ) / "bin" / "javac"
    javac = str(own) if own.exists() else shutil.which("javac", path=environ.get("PATH"))
    return None if javac is None else Path(javac)


def build_plugin(jar: Path, release: str = versions.KAFKA, *, pinned: bool = False) -> Path:
    """Compile the sources against a broker's own jars, and return the jar: of one compiler always the same bytes.

    Args:
        jar: Where it goes; its directory is made.
        release: Of Kafka, as ``4.3.1``.
        pinned: Compile with the pinned ``ecj`` where there is a ``javac`` too, so that machines make the same bytes.

    Raises:
        ToolchainError: There is no Java, the compiler refuses the sources, or it or the broker's jars cannot be had.
    """
    javac = None if pinned else find_javac()
    with tempfile.TemporaryDirectory(prefix="warden-javac-") as directory:
        command = [*(_build_ecj_command() if javac is None else [str(javac), *_JAVAC]), *_EITHER]
        command += ["-cp", build_class_path(release), "-d", directory]
        command += [str(path) for path in sorted(SOURCES.rglob("*.java"))]
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


def _build_ecj_command() -> list[str]:
    return [str(find_java() / "bin" / "java"), "-jar", str(find_ecj()), "-source", "17", "-target", "17", "-nowarn"]


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
@click.option(
    "--pinned", is_flag=True, help="Compile with the pinned ecj and not with this machine's javac, as a release is."
)
def command(output: Path, kafka: str, *, pinned: bool) -> int:
    r"""Compile the plugin that asks OPA inside Kafka's brokers, and print where its jar is.

    It needs Java 17 or newer: the JDK's compiler, or the pinned ecj where there is a runtime alone. Kafka's jars are
    those that the demo runs on.

    \b
    Examples:
      python -m tools.broker_plugin
      python -m tools.broker_plugin --output /opt/kafka/libs/warden-broker.jar
    """
    click.echo(build_plugin(output, kafka, pinned=pinned))
    return 0


if __name__ == "__main__":
    run_command(command)
