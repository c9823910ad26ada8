"""A short-lived JVM with Kafka's jars on its class path, reached through Py4J (which comes with PySpark)."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from warden.base.toolchain import versions

__all__ = ["kafka_jvm", "own_errors", "start_kafka_jvm"]


@contextmanager
def kafka_jvm(version: str = versions.KAFKA, jars: Sequence[Path] | None = None) -> Iterator[Any]:
    """Yield Py4J's view of a JVM that has the jars of every component of Kafka; the JVM ends with the block.

    Args:
        version: The release, the pinned one where not given.
        jars: What it has in place of every component.

    Raises:
        ToolchainError: Java or the jars cannot be had.
    """
    with start_kafka_jvm(version, jars) as view, own_errors():
        yield view


@contextmanager
def start_kafka_jvm(version: str = versions.KAFKA, jars: Sequence[Path] | None = None) -> Iterator[Any]:
    """As `kafka_jvm`, for a block in which a Spark may run too: what needs Kafka's errors is within `own_errors`.

    Args:
        version, jars: As there.

    Raises:
        ToolchainError: As there.
    """
    import pyspark
    from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway

    from warden.base.toolchain.jars import BROKER, CATALOGUE, kafka_jars
    from warden.base.toolchain.java import find_java

    bridge = next((Path(pyspark.__file__).parent / "jars").glob("py4j-*.jar"))
    if jars is None:
        every = {_name_module(jar): jar for modules in (BROKER, CATALOGUE) for jar in kafka_jars(version, modules)}
        jars = list(every.values())
    port, token = launch_gateway(
        jarpath=str(bridge),
        java_path=str(find_java() / "bin" / "java"),
        classpath=":".join(map(str, jars)),
        javaopts=["-Xmx128m", "-Dlog4j2.disable.jmx=true"],
        die_on_exit=True,
        enable_auth=True,
    )
    gateway = JavaGateway(gateway_parameters=GatewayParameters(port=port, auth_token=token, auto_field=True))
    try:
        yield gateway.jvm
    finally:
        gateway.shutdown()


def _name_module(jar: Path) -> str:
    """The name without the version: the broker's set may have an older Connect than the catalogue's."""
    return re.sub(r"-[0-9][^-]*\.jar$", "", jar.name)


@contextmanager
def own_errors() -> Iterator[None]:
    """Have what Kafka's classes throw raised as Py4J says it.

    A Spark session of this process has every gateway's exceptions put into words by Spark, which this JVM lacks.
    """
    from py4j import java_gateway, protocol

    patched, java_gateway.get_return_value = java_gateway.get_return_value, protocol.get_return_value
    try:
        yield
    finally:
        java_gateway.get_return_value = patched
