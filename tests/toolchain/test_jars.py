"""Kafka's jars come through PySpark's resolver, once."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from warden.errors import ToolchainError
from warden.toolchain.jars import BROKER, CATALOGUE, kafka_jars

Script = Callable[[str, str], Path]

# Stands in for the Java that runs the resolver: puts one jar where the real one would, and notes how it was called.
RESOLVER = """
echo "$@" >> {log}
for word in "$@"; do
  case "$word" in spark.jars.ivy=*) ivy="${{word#*=}}" ;; esac
done
/bin/mkdir -p "$ivy/jars" && echo jar > "$ivy/jars/org.apache.kafka_kafka.jar"
"""


def _environ(script: Script, bare: dict[str, str], body: str) -> dict[str, str]:
    home = script("jdk/bin/java", body).parent.parent
    (home / "release").write_text('JAVA_VERSION="17.0.18"\n', encoding="utf-8")
    return {**bare, "JAVA_HOME": str(home)}


def test_second_call_resolves_nothing(script: Script, bare: dict[str, str], tmp_path: Path) -> None:
    """The first call resolves and adds the Scala library, the second only looks; another set is another artefact."""
    log = tmp_path / "log"
    environ = _environ(script, bare, RESOLVER.format(log=log))

    first, second = kafka_jars(environ=environ), kafka_jars(environ=environ)
    other = kafka_jars(modules=CATALOGUE, environ=environ)

    names = [path.name.split("-2.13.")[0] for path in first]
    assert (first, ["org.apache.kafka_kafka.jar", "scala-library"]) == (second, names)
    assert other[0].parent != first[0].parent
    calls = log.read_text(encoding="utf-8").splitlines()
    wanted = [
        ",".join(f"org.apache.kafka:{module}:4.3.1" for module in sorted(modules)) for modules in (BROKER, CATALOGUE)
    ]
    assert wanted == [call.split()[-2] for call in calls]


def test_resolver_that_fails(script: Script, bare: dict[str, str], tmp_path: Path) -> None:
    """A resolver that cannot reach its repository is one sentence with its own reason, and nothing stays behind."""
    environ = _environ(script, bare, "echo 'unresolved dependency: error'; exit 1")

    with pytest.raises(ToolchainError) as caught:
        kafka_jars(environ=environ)

    java = tmp_path / "jdk" / "bin" / "java"
    assert str(caught.value) == (
        f"the jars of Kafka 4.3.1 cannot be fetched ({java} failed with status 1 (unresolved dependency: error)): "
        "check the network, or copy the cache directory of a machine that has them"
    )
    assert [".lock"] == [path.suffix for path in (tmp_path / "cache").iterdir()]


def test_without_pyspark(bare: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without the extra says which one is missing."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    with pytest.raises(ToolchainError, match=r"pip install 'kafka-warden\[spark\]'$"):
        kafka_jars(environ=bare)


@pytest.mark.kafka
def test_real_jars() -> None:
    """The broker's set holds the server, the command-line clients and the Scala library."""
    names = [path.name for path in kafka_jars()]

    for part in ("kafka_2.13-4.3.1", "kafka-tools-4.3.1", "kafka-server-4.3.1", "scala-library-2.13", "log4j-api"):
        assert any(part in name for name in names), part
