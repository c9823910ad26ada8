"""A short-lived JVM with Kafka's jars on its class path, reached through Py4J (which comes with PySpark)."""

import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from warden.base.toolchain import versions

__all__ = ["raise_java_errors", "run_kafka_jvm", "start_kafka_jvm"]

_SEGMENT: Final = 1024


@contextmanager
def run_kafka_jvm(version: str = versions.KAFKA, jars: Sequence[Path] | None = None) -> Iterator[Any]:
    """Yield Py4J's view of a JVM that has the jars of every component of Kafka; the JVM ends with the block.

    Args:
        version: The release, the pinned one where not given.
        jars: What it has in place of every component.

    Raises:
        ToolchainError: Java or the jars cannot be had.
    """
    with start_kafka_jvm(version, jars) as view, raise_java_errors():
        yield view


@contextmanager
def start_kafka_jvm(version: str = versions.KAFKA, jars: Sequence[Path] | None = None) -> Iterator[Any]:
    """As `run_kafka_jvm`, for a block that may run a Spark too: what needs Kafka's errors is in `raise_java_errors`.

    Args:
        version, jars: As there.

    Raises:
        ToolchainError: As there.
    """
    import pyspark
    from py4j.java_gateway import launch_gateway

    from warden.base.toolchain.jars import BROKER, CATALOG, obtain_kafka_jars
    from warden.base.toolchain.java import find_java

    bridge = next((Path(pyspark.__file__).parent / "jars").glob("py4j-*.jar"))
    if jars is None:
        every = {_name_module(jar): jar for modules in (BROKER, CATALOG) for jar in obtain_kafka_jars(version, modules)}
        jars = list(every.values())
    port, token = launch_gateway(
        jarpath=str(bridge),
        java_path=str(find_java() / "bin" / "java"),
        classpath=":".join(map(str, jars)),
        javaopts=["-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dlog4j2.disable.jmx=true"],
        die_on_exit=True,
        enable_auth=True,
    )
    gateway = _connect(port, token)
    try:
        yield _Names(gateway.jvm)
    finally:
        gateway.shutdown()


def _connect(port: int, token: str) -> Any:
    """Py4J's gateway, whose connections take long answers without a wait.

    The JVM sends 8 KB at once, and less only when what went before is acknowledged, which Linux puts off for 40 ms
    after half a segment: of segments of 1 KB every second one is acknowledged at once (RFC 9293, 3.8.6.3).
    """
    from py4j.java_gateway import GatewayClient, GatewayConnection, GatewayParameters, JavaGateway

    class Client(GatewayClient):  # type: ignore[misc]  # py4j has no types
        def _create_connection(self) -> Any:
            connection = GatewayConnection(self.gateway_parameters, self.gateway_property)
            connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, _SEGMENT)
            connection.start()
            return connection

    class Gateway(JavaGateway):  # type: ignore[misc]  # so too
        def _create_gateway_client(self) -> Any:
            return Client(gateway_parameters=self.gateway_parameters)

    return Gateway(gateway_parameters=GatewayParameters(port=port, auth_token=token, auto_field=True))


class _Names:
    """Packages and classes by name, each looked up once.

    Py4J asks the JVM about each part of `org.apache.kafka.…` each time, which takes longer than most calls.

    Args:
        view: Py4J's, of the JVM or of a package.
    """

    def __init__(self, view: Any) -> None:
        self._view = view

    def __getattr__(self, name: str) -> Any:
        from py4j.java_gateway import JavaPackage

        member = getattr(self._view, name)
        kept = _Names(member) if isinstance(member, JavaPackage) else member
        setattr(self, name, kept)
        return kept


def _name_module(jar: Path) -> str:
    """The name without the version: the broker's set may have an older Connect than the catalogue's."""
    return re.sub(r"-[0-9][^-]*\.jar$", "", jar.name)


@contextmanager
def raise_java_errors() -> Iterator[None]:
    """Have what Kafka's classes throw raised as Py4J says it.

    A Spark session of this process has every gateway's exceptions put into words by Spark, which this JVM lacks.
    """
    from py4j import java_gateway, protocol

    patched, java_gateway.get_return_value = java_gateway.get_return_value, protocol.get_return_value
    try:
        yield
    finally:
        java_gateway.get_return_value = patched
