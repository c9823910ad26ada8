"""Sessions of Spark Connect, whose driver is a server that runs elsewhere."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from spark_jobs.common.deployment import send_modules
from spark_jobs.common.errors import extract_first_line
from spark_jobs.common.shipping import write_modules
from warden.base.errors import ConfigurationError
from warden.base.extras import DISTRIBUTION

__all__ = ["connect_session"]

_PORT = 15002
_TIMEOUT_SECONDS = 5.0


@contextmanager
def connect_session(url: str, configs: Mapping[str, str]) -> Iterator[SparkSession]:
    """Connect to a server of Spark Connect, and leave it at the end; its tasks get this process's modules.

    Args:
        url: ``sc://host[:port][/;parameter=value…]``.
        configs: Configuration of the session.

    Raises:
        ConfigurationError: Nothing answers there, it refuses the session or a configuration, or what Spark Connect
            needs is not installed.
    """
    address = urlsplit(url)
    try:
        socket.create_connection((address.hostname or "", address.port or _PORT), _TIMEOUT_SECONDS).close()
        session = SparkSession.builder.remote(url).getOrCreate()
    except ImportError as error:
        raise ConfigurationError(
            f"{url}: {extract_first_line(error)}: pip install '{DISTRIBUTION}[connect]'"
        ) from error
    except (OSError, ValueError, PySparkException) as error:
        raise ConfigurationError(f"{url}: cannot connect to Spark Connect: {extract_first_line(error)}") from error
    try:
        _configure(session, url, configs)
        with TemporaryDirectory(prefix="warden-") as directory:
            send_modules(session, write_modules(Path(directory) / "warden-modules.zip"))
        yield session
    finally:
        session.stop()


def _configure(session: SparkSession, url: str, configs: Mapping[str, str]) -> None:
    for name, value in configs.items():
        try:
            session.conf.set(name, value)
        except PySparkException as error:
            raise ConfigurationError(f"{url}: refuses {name}: {extract_first_line(error)}") from error
