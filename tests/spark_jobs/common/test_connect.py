"""A session of Spark Connect that is refused a configuration."""

import socket
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark.errors import PySparkException

from spark_jobs.common import connect
from warden.base.errors import ConfigurationError


def test_a_configuration_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's session ends, and the error names the configuration, and not its value."""
    stops: list[bool] = []

    def refuse(name: str, _: str) -> None:
        raise PySparkException(f"[CANNOT_MODIFY_STATIC_CONFIG] {name}\nand a trace")

    session = SimpleNamespace(conf=SimpleNamespace(set=refuse), stop=lambda: stops.append(True))
    builder: Any = SimpleNamespace(remote=lambda _: SimpleNamespace(getOrCreate=lambda: session))
    monkeypatch.setattr(connect, "SparkSession", SimpleNamespace(builder=builder))
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"sc://127.0.0.1:{server.getsockname()[1]}"
        opened = connect.connect_session(url, {"spark.local.dir": "geheim"})
        with pytest.raises(ConfigurationError) as raised, opened:
            pass

    said = f"{url}: refuses spark.local.dir: [CANNOT_MODIFY_STATIC_CONFIG] spark.local.dir"
    assert (said, [True]) == (str(raised.value), stops)
