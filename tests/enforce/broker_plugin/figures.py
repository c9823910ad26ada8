"""What a broker's JMX shows."""

import csv

from warden.demo.class_path import build_class_path
from warden.demo.java import run_java

__all__ = ["DECISIONS", "jmx_options", "read_figures"]

DECISIONS = "warden.broker:type=Decisions"
"""The plugin's own figures."""


def jmx_options(port: int) -> list[str]:
    """Return the options with which a JVM shows its figures on this machine.

    Args:
        port: Where.
    """
    settings = (f"port={port}", "authenticate=false", "ssl=false", "host=127.0.0.1")
    return [f"-Dcom.sun.management.jmxremote.{setting}" for setting in settings]


def read_figures(port: int, bean: str = DECISIONS) -> dict[str, str]:
    """Return the attributes of a bean.

    Args:
        port: As in `jmx_options`.
        bean: Its object name.
    """
    url = f"service:jmx:rmi:///jndi/rmi://127.0.0.1:{port}/jmxrmi"
    arguments = ["--jmx-url", url, "--object-name", bean, "--one-time"]
    said = run_java("org.apache.kafka.tools.JmxTool", arguments, class_path=build_class_path())
    names, values = csv.reader(said.splitlines()[-2:])
    return {name.removeprefix(f"{bean}:"): value for name, value in zip(names, values, strict=True)}
