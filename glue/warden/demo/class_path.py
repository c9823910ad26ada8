"""The class path of Kafka's own programs."""

import os
from pathlib import Path

__all__ = ["kafka_class_path"]

# Spark's resolver leaves out what Spark itself brings. These come from Spark's own jars, and before Kafka's: Kafka's
# slf4j-api 1.7 has no binding beside it, Spark's slf4j-api 2 has one for Log4j.
_FROM_SPARK = ("scala-library", "slf4j-api", "log4j-slf4j2-impl")


def kafka_class_path() -> str:
    """Return the class path on which the broker and Kafka's command-line tools run.

    Raises:
        ToolchainError: The Kafka jars cannot be had.
    """
    from warden.toolchain.jars import kafka_jars

    kafka = kafka_jars()  # says so when PySpark is missing

    import pyspark

    spark = Path(pyspark.__file__).parent / "jars"
    ours = [jar for name in _FROM_SPARK for jar in sorted(spark.glob(f"{name}-[0-9]*.jar"))]
    return os.pathsep.join(map(str, [*ours, *kafka]))
