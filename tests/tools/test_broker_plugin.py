"""The plugin of brokers is compiled to the same bytes each time, by a JDK or without one."""

import zipfile
from pathlib import Path

import pytest

from tools import broker_plugin
from tools.broker_plugin import build_plugin, find_javac


def _names(jar: Path) -> set[str]:
    return set(zipfile.ZipFile(jar).namelist())


@pytest.mark.kafka
@pytest.mark.parametrize("pinned", [False, True])
def test_two_builds_are_the_same(tmp_path: Path, *, pinned: bool) -> None:
    """The jar has the three classes that Kafka loads, and nothing of the moment or the machine."""
    first = build_plugin(tmp_path / "one" / "plugin.jar", pinned=pinned)
    second = build_plugin(tmp_path / "two" / "plugin.jar", pinned=pinned)

    assert first.read_bytes() == second.read_bytes()
    loaded = ("Authorizer", "CreateTopicPolicy", "AlterConfigPolicy")
    assert {f"warden/broker/{name}.class" for name in loaded} <= _names(first)


@pytest.mark.kafka
def test_a_runtime_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Java is there and javac is not, the pinned compiler makes the jar that a release has."""
    monkeypatch.setattr(broker_plugin, "find_javac", lambda: None)

    without = build_plugin(tmp_path / "without.jar")

    assert build_plugin(tmp_path / "pinned.jar", pinned=True).read_bytes() == without.read_bytes()


def test_no_compiler_is_found_in_a_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither Java's own directory nor PATH has one."""
    monkeypatch.setattr(broker_plugin, "find_java", lambda environ: tmp_path)

    assert find_javac({"PATH": str(tmp_path)}) is None
