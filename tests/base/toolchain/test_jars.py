"""Kafka's jars come through PySpark's resolver, once, and are the pinned ones."""

import hashlib
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from warden.base.errors import ToolchainError
from warden.base.toolchain.jars import BROKER, CATALOG, obtain_kafka_jars, read_sums

Script = Callable[[str, str], Path]

# Stands in for the Java that runs the resolver: puts one jar where the real one would, and notes how it was called.
RESOLVER = """
echo "$@" >> {log}
for word in "$@"; do
  case "$word" in spark.jars.ivy=*) ivy="${{word#*=}}" ;; esac
done
/bin/mkdir -p "$ivy/jars" && echo jar > "$ivy/jars/{jar}"
"""

JAR = "org.apache.kafka_kafka_2.13-4.4.0.jar"
SUMS = {**dict.fromkeys(read_sums(), "0" * 64), JAR: hashlib.sha256(b"jar\n").hexdigest()}


def _environ(script: Script, bare: dict[str, str], body: str) -> dict[str, str]:
    home = script("jdk/bin/java", body).parent.parent
    (home / "release").write_text('JAVA_VERSION="17.0.18"\n', encoding="utf-8")
    return {**bare, "JAVA_HOME": str(home)}


@pytest.mark.process
def test_second_call_resolves_nothing(script: Script, bare: dict[str, str], tmp_path: Path) -> None:
    """The first call resolves and adds the Scala library, the second only looks; another set is another artefact."""
    log = tmp_path / "log"
    environ = _environ(script, bare, RESOLVER.format(log=log, jar=JAR))

    first, second = obtain_kafka_jars(environ=environ, sums=SUMS), obtain_kafka_jars(environ=environ, sums=SUMS)
    other = obtain_kafka_jars(modules=CATALOG, environ=environ, sums=SUMS)

    names = [path.name.split("-2.13.")[0] for path in first]
    assert (first, [JAR, "scala-library"]) == (second, names)
    assert other[0].parent != first[0].parent
    calls = log.read_text(encoding="utf-8").splitlines()
    old = ("connect-mirror", "connect-runtime", "kafka-tools")  # of which there is no 4.4.0
    wanted = [
        ",".join(f"org.apache.kafka:{module}:{'4.3.1' if module in old else '4.4.0'}" for module in sorted(modules))
        for modules in (BROKER, CATALOG)
    ]
    assert wanted == [call.split()[-2] for call in calls]


@pytest.mark.process
def test_a_repository_that_has_another_jar(script: Script, bare: dict[str, str], tmp_path: Path) -> None:
    """A jar with another sum than the pinned one is refused, one that nobody pinned too, and nothing stays behind."""
    log = tmp_path / "log"
    environ = _environ(script, bare, RESOLVER.format(log=log, jar=JAR))

    with pytest.raises(ToolchainError) as caught:
        obtain_kafka_jars(environ=environ, sums={**SUMS, JAR: "0" * 64})

    assert str(caught.value) == (
        f"the jars of Kafka 4.4.0 are refused: {JAR} has the SHA-256 sum {SUMS[JAR]}, and not {'0' * 64}, which "
        "jars.sha256 pins: let Spark's resolver fetch from a repository that has the jar as it was published"
    )
    _environ(script, bare, RESOLVER.format(log=log, jar="org.other_other-1.0.jar"))
    with pytest.raises(ToolchainError) as caught:
        obtain_kafka_jars(environ=environ, sums=SUMS)

    assert str(caught.value) == (
        "the jars of Kafka 4.4.0 are refused: org.other_other-1.0.jar has no line in jars.sha256: "
        "`python -m tools.pins jars 4.4.0` in a checkout of Warden writes it"
    )
    assert [".lock"] == [path.suffix for path in (tmp_path / "cache").iterdir()]


@pytest.mark.process
def test_a_release_that_is_not_pinned(script: Script, bare: dict[str, str], tmp_path: Path) -> None:
    """Nothing is fetched of it: the sentence names the command that writes its sums."""
    log = tmp_path / "log"
    environ = _environ(script, bare, RESOLVER.format(log=log, jar=JAR))

    with pytest.raises(ToolchainError) as caught:
        obtain_kafka_jars("4.9.0", environ=environ)

    assert str(caught.value) == (
        "the jars of Kafka 4.9.0 are refused: org.apache.kafka_kafka_2.13-4.9.0.jar has no line in jars.sha256: "
        "`python -m tools.pins jars 4.9.0` in a checkout of Warden writes it"
    )
    assert not log.exists()


@pytest.mark.process
def test_a_cache_of_before(
    script: Script, bare: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Jars that were fetched before are compared by the recorded sums; others than the pinned are fetched again."""
    log = tmp_path / "log"
    environ = _environ(script, bare, RESOLVER.format(log=log, jar=JAR))
    (jars, _scala) = obtain_kafka_jars(environ=environ, sums=SUMS)
    record = jars.parent.with_name(f"{jars.parent.name}.json")
    document = json.loads(record.read_text(encoding="utf-8"))
    jars.write_text("JAR\n", encoding="utf-8")
    status = jars.stat()
    other = hashlib.sha256(b"JAR\n").hexdigest()
    document["files"][JAR] |= {"modified": status.st_mtime_ns, "sha256": other}
    record.write_text(json.dumps(document), encoding="utf-8")
    capsys.readouterr()

    obtain_kafka_jars(environ=environ, sums=SUMS)

    assert "jar\n" == jars.read_text(encoding="utf-8")
    assert (
        f"{jars.parent} is damaged ({JAR} has the SHA-256 sum {other}, and not {SUMS[JAR]}" in capsys.readouterr().err
    )
    assert 2 == len(log.read_text(encoding="utf-8").splitlines())


@pytest.mark.process
def test_resolver_that_fails(script: Script, bare: dict[str, str], tmp_path: Path) -> None:
    """A resolver that cannot reach its repository is one sentence with its own reason, and nothing stays behind."""
    environ = _environ(script, bare, "echo 'unresolved dependency: error'; exit 1")

    with pytest.raises(ToolchainError) as caught:
        obtain_kafka_jars(environ=environ)

    java = tmp_path / "jdk" / "bin" / "java"
    assert str(caught.value) == (
        f"the jars of Kafka 4.4.0 cannot be fetched ({java} failed with status 1 (unresolved dependency: error)): "
        "check the network, or copy the cache directory of a machine that has them"
    )
    assert [".lock"] == [path.suffix for path in (tmp_path / "cache").iterdir()]


def test_without_pyspark(bare: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without the extra says which one is missing."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    with pytest.raises(ToolchainError, match=r"pip install 'kafka-warden\[spark\]'$"):
        obtain_kafka_jars(environ=bare)


@pytest.mark.kafka
def test_real_jars() -> None:
    """The broker's set holds the server, the command-line clients and the Scala library."""
    names = [path.name for path in obtain_kafka_jars()]

    for part in ("kafka_2.13-4.4.0", "kafka-tools-4.3.1", "kafka-server-4.4.0", "scala-library-2.13", "log4j-api"):
        assert any(part in name for name in names), part
