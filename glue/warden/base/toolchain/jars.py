"""Kafka's own jars, fetched by PySpark's resolver (``spark.jars.packages``): no Kafka archive, no Maven.

``jars.sha256`` beside this module has a line for every jar that may be used, its name and its SHA-256 sum, and what is
not there is refused. The sums are those of first use, when ``python -m tools.pins jars`` wrote them: a jar cannot
become another one later.
"""

import hashlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from pkgutil import get_data
from typing import Final

from warden.base.errors import ToolchainError
from warden.base.extras import describe_missing
from warden.base.process.progress import show_working
from warden.base.toolchain import versions
from warden.base.toolchain.cache import Cache, hash_file
from warden.base.toolchain.java import find_java
from warden.base.toolchain.process import run

__all__ = ["BROKER", "CATALOG", "SUMS_FILE", "fetch_jars", "obtain_kafka_jars", "read_sums", "resolve_jars"]

BROKER: Final = (f"kafka_{versions.SCALA}", "kafka-tools")
"""A broker and the command-line clients (``kafka.Kafka``, ``org.apache.kafka.tools.TopicCommand``, …)."""

CATALOG: Final = ("connect-mirror", "connect-runtime", "connect-transforms", "kafka-streams")
"""Every other component that has a ``ConfigDef``."""

SUMS_FILE: Final = "jars.sha256"
"""The file beside this module with the sums of all jars."""

_SPARKS_OWN = f"scala-library-{versions.SCALA}."  # is copied from the PySpark that is installed, and not fetched
_RESOLVE_TIMEOUT_SECONDS = 1200.0


@cache
def read_sums() -> Mapping[str, str]:
    """Return the SHA-256 sums of all jars that may be used, by their names."""
    lines = (get_data(__package__, SUMS_FILE) or b"").decode("utf-8").splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


def obtain_kafka_jars(
    version: str = versions.KAFKA,
    modules: Sequence[str] = BROKER,
    environ: Mapping[str, str] = os.environ,
    *,
    excluded: Sequence[str] = (),
    sums: Mapping[str, str] | None = None,
) -> list[Path]:
    """Return the jars of Kafka modules and of everything they need at run time, sorted by name.

    Args:
        version: The Kafka version.
        modules: Artefacts of the group ``org.apache.kafka``.
        environ: The environment: ``WARDEN_CACHE`` and what `find_java` reads.
        excluded: What they need and the caller has from elsewhere, as ``group:artefact``.
        sums: The SHA-256 sums by name, in place of `read_sums`.

    Raises:
        ToolchainError: PySpark or Java is missing, the resolver could not fetch the jars, or a jar has not the sum that
            is pinned for it, or none is.
    """
    sums = read_sums() if sums is None else sums
    others = versions.KAFKA_MODULES.get(version, {})
    for module in modules:
        if (jar := f"org.apache.kafka_{module}-{others.get(module, version)}.jar") not in sums:
            raise ToolchainError(_format_refusal(version, _describe_unknown(jar, version)))
    named = sorted(f"{module}:{others[module]}" if module in others else module for module in modules)
    key = hashlib.sha256(" ".join([*named, *sorted(excluded)]).encode()).hexdigest()[:8]
    compare = partial(_find_fault, sums=sums, version=version)

    def fill(directory: Path) -> None:
        fetch_jars(directory, version, modules, environ, excluded=excluded)
        if fault := compare({jar.name: hash_file(jar) for jar in sorted(directory.glob("*.jar"))}):
            raise ToolchainError(_format_refusal(version, fault))
        _add_scala(directory, _find_spark_home())

    def refuse(recorded: Mapping[str, str]) -> str | None:
        return compare({name: digest for name, digest in recorded.items() if not name.startswith(_SPARKS_OWN)})

    return sorted(Cache.from_environment(environ).obtain(f"kafka-{version}-{key}", fill, refuse).glob("*.jar"))


def _find_fault(digests: Mapping[str, str], sums: Mapping[str, str], version: str) -> str | None:
    for name, digest in digests.items():
        if name not in sums:
            return _describe_unknown(name, version)
        if digest != sums[name]:
            return (
                f"{name} has the SHA-256 sum {digest}, and not {sums[name]}, which {SUMS_FILE} pins: "
                "let Spark's resolver fetch from a repository that has the jar as it was published"
            )
    return None


def _describe_unknown(name: str, version: str) -> str:
    return f"{name} has no line in {SUMS_FILE}: `python -m tools.pins jars {version}` in a checkout of Warden writes it"


def _format_refusal(version: str, fault: str) -> str:
    return f"the jars of Kafka {version} are refused: {fault}"


def fetch_jars(
    directory: Path,
    version: str,
    modules: Sequence[str],
    environ: Mapping[str, str] = os.environ,
    *,
    excluded: Sequence[str] = (),
) -> None:
    """Fetch the jars into an empty directory; their sums are not compared with anything.

    Args:
        directory: Where they go.
        version, modules, environ, excluded: As of `obtain_kafka_jars`.

    Raises:
        ToolchainError: PySpark or Java is missing, or the resolver could not fetch the jars.
    """
    others = versions.KAFKA_MODULES.get(version, {})
    coordinates = [f"org.apache.kafka:{module}:{others.get(module, version)}" for module in sorted(modules)]
    resolve_jars(directory, f"Kafka {version}", coordinates, environ, excluded=excluded)


def resolve_jars(
    directory: Path,
    what: str,
    coordinates: Sequence[str],
    environ: Mapping[str, str] = os.environ,
    *,
    excluded: Sequence[str] = (),
) -> None:
    """Fetch jars from Maven's repositories into an empty directory; their sums are not compared with anything.

    Args:
        directory: Where they go.
        what: Words for them.
        coordinates: ``group:artefact:version`` of those whose dependencies are fetched as well.
        environ, excluded: As of `obtain_kafka_jars`.

    Raises:
        ToolchainError: As of `fetch_jars`.
    """
    spark = _find_spark_home()
    java = find_java(environ)
    ivy, script = directory / ".ivy", directory / ".nothing.py"
    script.write_text("", encoding="utf-8")
    # spark-submit resolves the packages before it runs the (empty) program: no Spark context, and no JVM is left.
    command: list[str | Path] = [
        java / "bin" / "java",
        "-cp",
        spark / "jars" / "*",
        "org.apache.spark.deploy.SparkSubmit",
    ]
    command += ["--master", "local[1]", "--conf", f"spark.jars.ivy={ivy}", "--packages", ",".join(coordinates)]
    command += [*(["--exclude-packages", ",".join(sorted(excluded))] if excluded else []), script]
    own = {"SPARK_HOME": str(spark), "JAVA_HOME": str(java), "PYSPARK_PYTHON": sys.executable}
    try:
        with show_working(f"fetching the jars of {what}"):
            run(command, environ={**environ, **own}, timeout=_RESOLVE_TIMEOUT_SECONDS)
        for jar in sorted((ivy / "jars").glob("*.jar")):
            jar.rename(directory / jar.name)
    except ToolchainError as error:
        raise ToolchainError(
            f"the jars of {what} cannot be fetched ({error}): "
            "check the network, or copy the cache directory of a machine that has them"
        ) from error
    finally:
        shutil.rmtree(ivy, ignore_errors=True)
        script.unlink()


def _add_scala(directory: Path, spark: Path) -> None:
    """Add the Scala library: Spark's resolver leaves it out because Spark brings its own."""
    if any(directory.glob("*scala-library*.jar")):
        return
    for jar in (spark / "jars").glob(f"scala-library-{versions.SCALA}.*.jar"):
        shutil.copyfile(jar, directory / jar.name)
        return
    raise ToolchainError(
        f"PySpark in {spark} has no Scala {versions.SCALA} library: install the PySpark that Warden pins"
    )


def _find_spark_home() -> Path:
    spec = importlib.util.find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise ToolchainError(f"PySpark fetches Kafka's jars, and is missing: {describe_missing('pyspark')}")
    return Path(spec.origin).parent
