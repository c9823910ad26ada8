"""Kafka's own jars, fetched by PySpark's resolver (``spark.jars.packages``): no Kafka archive, no Maven."""

import hashlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from warden.errors import ToolchainError
from warden.extras import missing_sentence
from warden.toolchain import versions
from warden.toolchain.cache import Cache
from warden.toolchain.java import find_java
from warden.toolchain.process import run
from warden.toolchain.progress import working

__all__ = ["BROKER", "CATALOGUE", "kafka_jars"]

BROKER: Final = (f"kafka_{versions.SCALA}", "kafka-tools")
"""A broker and the command-line clients (``kafka.Kafka``, ``org.apache.kafka.tools.TopicCommand``, …)."""

CATALOGUE: Final = ("connect-mirror", "connect-runtime", "connect-transforms", "kafka-streams")
"""Every other component that has a ``ConfigDef``."""

_RESOLVE_TIMEOUT_SECONDS = 1200.0


def kafka_jars(
    version: str = versions.KAFKA,
    modules: Sequence[str] = BROKER,
    environ: Mapping[str, str] = os.environ,
    *,
    excluded: Sequence[str] = (),
) -> list[Path]:
    """Return the jars of Kafka modules and of everything they need at run time, sorted by name.

    Args:
        version: The Kafka version.
        modules: Artefacts of the group ``org.apache.kafka``.
        environ: The environment: ``WARDEN_CACHE`` and what `find_java` reads.
        excluded: What they need and the caller has from elsewhere, as ``group:artefact``.

    Raises:
        ToolchainError: PySpark or Java is missing, or the resolver could not fetch the jars.
    """
    key = hashlib.sha256(" ".join([*sorted(modules), *sorted(excluded)]).encode()).hexdigest()[:8]
    fill = partial(_fill, version=version, modules=modules, environ=environ, excluded=excluded)
    return sorted(Cache.of(environ).obtain(f"kafka-{version}-{key}", fill).glob("*.jar"))


def _fill(
    directory: Path, version: str, modules: Sequence[str], environ: Mapping[str, str], excluded: Sequence[str]
) -> None:
    spark = _spark_home()
    java = find_java(environ)
    ivy, script = directory / ".ivy", directory / ".nothing.py"
    script.write_text("", encoding="utf-8")
    coordinates = ",".join(f"org.apache.kafka:{module}:{version}" for module in sorted(modules))
    # spark-submit resolves the packages before it runs the (empty) program: no Spark context, and no JVM is left.
    command: list[str | Path] = [
        java / "bin" / "java",
        "-cp",
        spark / "jars" / "*",
        "org.apache.spark.deploy.SparkSubmit",
    ]
    command += ["--master", "local[1]", "--conf", f"spark.jars.ivy={ivy}", "--packages", coordinates]
    command += [*(["--exclude-packages", ",".join(sorted(excluded))] if excluded else []), script]
    own = {"SPARK_HOME": str(spark), "JAVA_HOME": str(java), "PYSPARK_PYTHON": sys.executable}
    try:
        with working(f"fetching the jars of Kafka {version} ({', '.join(sorted(modules))})"):
            run(command, environ={**environ, **own}, timeout=_RESOLVE_TIMEOUT_SECONDS)
        for jar in sorted((ivy / "jars").glob("*.jar")):
            jar.rename(directory / jar.name)
        _add_scala(directory, spark)
    except ToolchainError as error:
        raise ToolchainError(
            f"the jars of Kafka {version} cannot be fetched ({error}): "
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
    raise ToolchainError(f"PySpark in {spark} has no Scala {versions.SCALA} library")


def _spark_home() -> Path:
    spec = importlib.util.find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise ToolchainError(f"PySpark fetches Kafka's jars, and is missing: {missing_sentence('pyspark')}")
    return Path(spec.origin).parent
