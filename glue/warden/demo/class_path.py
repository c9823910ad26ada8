"""The class path of Kafka's own programs."""

import os
from pathlib import Path

from warden.base.toolchain import versions

__all__ = ["build_class_path"]

# Spark's resolver leaves out what Spark itself brings. These come from Spark's own jars, and before Kafka's: Kafka's
# slf4j-api 1.7 has no binding beside it, Spark's slf4j-api 2 has one for Log4j.
_FROM_SPARK = ("scala-library", "slf4j-api", "log4j-slf4j2-impl")

_OF_OLDER_TOOLS = ("kafka-clients-", f"kafka_{versions.SCALA}-")


def build_class_path(release: str = versions.KAFKA) -> str:
    """Return the class path on which the broker and Kafka's command-line tools run.

    Args:
        release: Of Kafka, as ``4.3.1``.

    Raises:
        ToolchainError: The Kafka jars cannot be had.
    """
    from warden.base.toolchain.jars import obtain_kafka_jars

    kafka = obtain_kafka_jars(release)  # says so when PySpark is missing
    tools = versions.KAFKA_MODULES.get(release, {}).get("kafka-tools")
    if tools is not None:  # what older tools look for and newer jars have elsewhere or no longer, behind all else
        kafka = [
            *kafka,
            *(jar for jar in obtain_kafka_jars(tools) if any(name in jar.name for name in _OF_OLDER_TOOLS)),
        ]

    import pyspark

    spark = Path(pyspark.__file__).parent / "jars"
    ours = [jar for name in _FROM_SPARK for jar in sorted(spark.glob(f"{name}-[0-9]*.jar"))]
    return os.pathsep.join(map(str, [*ours, *kafka]))
