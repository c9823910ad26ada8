"""Pinned versions of the tools that Warden obtains, OPA, Java and Kafka's jars, and the SHA-256 sums of their files.

Who serves a file, a mirror too, cannot change what is expected of it: sums are by operating system and processor, in
Go's words, and a file without one is not downloaded. ``python -m tools.pins releases`` prints the tables, from the sums
that the projects publish.

A release page is ``<RELEASES>/<owner>/<repository>/releases/download/<tag>/<file>``. The environment variable
``WARDEN_RELEASES`` puts a mirror with the same paths in place of ``RELEASES``.
"""

from collections.abc import Mapping
from typing import Final

__all__ = [
    "JAVA_MINIMUM",
    "KAFKA",
    "KAFKA_MODULES",
    "OPA",
    "OPA_SHA256",
    "OPA_SOURCES",
    "RELEASES",
    "SCALA",
    "TEMURIN",
    "TEMURIN_SHA256",
]

RELEASES: Final = "https://github.com"

OPA: Final = "1.22.0"
OPA_SOURCES: Final = "h1:CwxTSHfk5GmA1CaySVWyxRvggY2xZYxKL6bhDuWOCuU="  # the Go module, as in a go.sum
OPA_SHA256: Final[Mapping[tuple[str, str], str]] = {}  # none is known from two places yet: Go builds it

JAVA_MINIMUM: Final = 17  # PySpark 4's own minimum
TEMURIN: Final = "17.0.18+8"
TEMURIN_SHA256: Final[Mapping[tuple[str, str], str]] = {  # of the JRE
    ("linux", "amd64"): "8b418e38cca87945858ae911988401720095eb671357d47437b4adb49c28dcab",
    ("linux", "arm64"): "88727c16610d118c0e739f62e6c99dc1cb5a7b4a93a27054fe2a3aa7150e7b5d",
    ("darwin", "amd64"): "486ab329956941fae40012f42d9f4bcbd48d036e11249b924e259fe7a86ee3dc",
    ("darwin", "arm64"): "6853987fa37340b157d7e8e895db0148efa13c3b2d6e6f3b289aac42e437d32e",
}

KAFKA: Final = "4.4.0"
KAFKA_MODULES: Final[Mapping[str, Mapping[str, str]]] = {
    "4.4.0": {"connect-mirror": "4.3.1", "connect-runtime": "4.3.1", "kafka-tools": "4.3.1"},
}
"""Release of Kafka → the modules that are not to be had of it, and the newest release of each that is."""

SCALA: Final = "2.13"  # the Scala line of Kafka's server jar and of PySpark 4
