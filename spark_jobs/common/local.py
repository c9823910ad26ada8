"""A Spark session of this process: no UI, its output in a file, and loopback only where its master is local."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

import spark_jobs
import warden
from spark_jobs.common.errors import extract_first_line
from warden.base.errors import ConfigurationError

__all__ = ["open_local_session"]

_LOOPBACK = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
_CONFIGS = {
    # A run of half a minute ends before the second compiler pays, and meanwhile it takes OPA's cores. Without it Java
    # keeps 48 MB for compiled code, which a few scans fill: from then on all is interpreted, as are by themselves the
    # large methods that Spark makes of a query.
    "spark.driver.extraJavaOptions": (
        "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:-DontCompileHugeMethods -XX:+UseParallelGC"
    ),
    # Each column of an expression would be five more calls of the JVM, to say which line of Python it comes from.
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Local data of a few megabytes: the default of 200 shuffle partitions would be nearly all overhead.
    "spark.sql.shuffle.partitions": "4",
}


@contextmanager
def open_local_session(master: str, java_home: Path, log: Path, configs: Mapping[str, str]) -> Iterator[SparkSession]:
    """Start a Spark session in this process and stop it at the end; one that there is already is used, and left alone.

    Where one is started, the environment of this process has Java, Python and the path of modules for it from then on,
    as have processes that are started later.

    Args:
        master: Spark's master URL, such as ``local[*]``.
        java_home: Home directory of a Java 17 or newer.
        log: File for everything that Spark, its JVM and its workers write.
        configs: Spark's configuration; it overrides what is set here.

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
    os.environ["PYTHONPATH"] = _build_import_path()
    # Without a locale Java cannot open a path that has letters beyond ASCII in it.
    if not any(name in os.environ for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        os.environ["LC_ALL"] = "C.UTF-8"
    builder = SparkSession.builder.appName("warden scan").master(master)
    here = _LOOPBACK | {"spark.local.dir": str(log.parent)} if local else {}
    for name, value in {**_CONFIGS, **here, **configs}.items():
        builder = builder.config(name, value)
    try:
        with _redirect_stderr(log):
            session = builder.getOrCreate()
    except (PySparkException, RuntimeError) as error:
        raise ConfigurationError(
            f"Spark cannot start with --master {master}: {_read_last_line(log) or error}"
        ) from error
    except Exception as error:  # Py4J's own errors have no common base that is worth an import
        raise ConfigurationError(f"Spark cannot start with --master {master}: {extract_first_line(error)}") from error
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.stop()


def _build_import_path() -> str:
    """PYTHONPATH for the workers: from where this process has its own modules, whichever way it found them."""
    roots = [str(Path(module).resolve().parent.parent) for module in (warden.__file__, spark_jobs.__file__)]
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.pathsep.join(dict.fromkeys([*roots, *filter(None, before)]))


@contextmanager
def _redirect_stderr(log: Path) -> Iterator[None]:
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


def _read_last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
    return lines[-1] if lines else ""
