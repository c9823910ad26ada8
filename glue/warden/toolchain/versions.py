"""Pinned versions of the tools that Warden obtains: OPA, Java and Kafka's jars.

A release page is ``<RELEASES>/<owner>/<repository>/releases/download/<tag>/<file>``. The environment variable
``WARDEN_RELEASES`` puts a mirror with the same paths in place of ``RELEASES``.
"""

from typing import Final

__all__ = [
    "JAVA_MINIMUM",
    "KAFKA",
    "OPA",
    "RELEASES",
    "SCALA",
    "TEMURIN",
]

RELEASES: Final = "https://github.com"

OPA: Final = "1.22.0"

JAVA_MINIMUM: Final = 17  # PySpark 4's own minimum
TEMURIN: Final = "17.0.18+8"

KAFKA: Final = "4.3.1"
SCALA: Final = "2.13"  # the Scala line of Kafka's server jar and of PySpark 4
