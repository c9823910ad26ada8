"""Spark sessions: one that keeps to itself, or one of Spark Connect on a server that is there.

The first has no UI, its chatter in a file, and loopback only where its master is local.
"""

import os
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

import warden
from spark_jobs.reach import send_modules
from spark_jobs.shipping import write_modules
from warden.errors import ConfigurationError

__all__ = ["connect_session", "local_session"]

_CONNECT_PORT = 15002
_PATIENCE_SECONDS = 5.0
_LOOPBACK = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
# What a job wants of any session.
_OF_SESSIONS = {
    "spark.sql.session.timeZone": "UTC",
    # Opening a local file costs nothing, so many small clusters may share a task and a large one is cut.
    "spark.sql.files.openCostInBytes": "0",
    # Each cluster has a directory for each day: looking into it is less work than a task.
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "5000",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "4000",
}
_CONFIGS = _OF_SESSIONS | {
    # A run of half a minute ends before the second compiler pays, and meanwhile it takes OPA's cores. Without it Java
    # keeps 48 MB for compiled code, which a few scans fill: from then on all is interpreted, as are by themselves the
    # large methods that Spark makes of a query.
    "spark.driver.extraJavaOptions": (
        "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:-DontCompileHugeMethods -XX:+UseParallelGC"
    ),
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Local data of a few megabytes: the default of 200 shuffle partitions would be nearly all overhead.
    "spark.sql.shuffle.partitions": "4",
}


@contextmanager
def local_session(
    master: str, java_home: Path, log: Path, configs: Mapping[str, str] | None = None
) -> Iterator[SparkSession]:
    """Start a Spark session in this process and stop it at the end; one that there is already is used, and left alone.

    Args:
        master: Spark's master URL, such as ``local[*]``.
        java_home: Home directory of a Java 17 or newer.
        log: File for everything that Spark, its JVM and its workers write.
        configs: Spark's configuration besides; it goes before Warden's own.

    Raises:
        ConfigurationError: Spark cannot start with this master.
    """
    if (there := SparkSession.getActiveSession()) is not None:
        yield there
        return
    os.environ.update(JAVA_HOME=str(java_home), PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable)
    local = master.startswith("local")
    if local:
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYTHONPATH"] = _import_path()
    # Without a locale Java cannot open a path that has letters beyond ASCII in it.
    if not any(name in os.environ for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        os.environ["LC_ALL"] = "C.UTF-8"
    builder = SparkSession.builder.appName("warden scan").master(master)
    here = _LOOPBACK | {"spark.local.dir": str(log.parent)} if local else {}
    for name, value in {**_CONFIGS, **here, **(configs or {})}.items():
        builder = builder.config(name, value)
    try:
        with _stderr_to(log):
            session = builder.getOrCreate()
    except (PySparkException, RuntimeError) as error:
        raise ConfigurationError(f"Spark cannot start with --master {master}: {_last_line(log) or error}") from error
    except Exception as error:  # Py4J's own errors have no common base that is worth an import
        raise ConfigurationError(f"Spark cannot start with --master {master}: {_first_line(error)}") from error
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def connect_session(url: str, configs: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """Connect to a server of Spark Connect, and leave it at the end; its tasks get this process's modules.

    Args:
        url: ``sc://host[:port][/;parameter=value…]``.
        configs: Configuration of the session besides; it goes before Warden's own.

    Raises:
        ConfigurationError: Nothing answers there, it refuses, or what Spark Connect needs is not installed.
    """
    place = urlsplit(url)
    try:
        socket.create_connection((place.hostname or "", place.port or _CONNECT_PORT), _PATIENCE_SECONDS).close()
        session = SparkSession.builder.remote(url).getOrCreate()
        for name, value in (_OF_SESSIONS | dict(configs or {})).items():
            session.conf.set(name, value)
    except ImportError as error:
        raise ConfigurationError(f"{url}: {_first_line(error)}: pip install 'warden[connect]'") from error
    except (OSError, ValueError, PySparkException) as error:
        raise ConfigurationError(f"{url}: no Spark Connect server can be used there: {_first_line(error)}") from error
    try:
        with TemporaryDirectory(prefix="warden-") as directory:
            send_modules(session, write_modules(Path(directory) / "warden-modules.zip"))
        yield session
    finally:
        session.stop()


def _import_path() -> str:
    """PYTHONPATH for the workers: from where this process has its own modules, whichever way it found them."""
    roots = [str(Path(module).resolve().parent.parent) for module in (warden.__file__, __file__)]
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.pathsep.join(dict.fromkeys([*roots, *filter(None, before)]))


@contextmanager
def _stderr_to(log: Path) -> Iterator[None]:
    """Send file descriptor 2 to a file, so that a child started meanwhile (the JVM) writes there for good."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with log.open("ab") as file:
            os.dup2(file.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
    return lines[-1] if lines else ""
