"""The plugin of brokers is compiled to the same bytes each time, and what is missing for that is said."""

import zipfile
from pathlib import Path

import pytest

from tools import broker_plugin
from tools.broker_plugin import build_plugin, find_compiler
from warden.base.errors import ToolchainError


@pytest.mark.kafka
def test_two_builds_are_the_same(tmp_path: Path) -> None:
    """The jar has the three classes that Kafka loads, and nothing of the moment or the machine."""
    first, second = build_plugin(tmp_path / "one" / "plugin.jar"), build_plugin(tmp_path / "two" / "plugin.jar")

    assert first.read_bytes() == second.read_bytes()
    names = set(zipfile.ZipFile(first).namelist())
    assert {f"warden/broker/{name}.class" for name in ("Authorizer", "CreateTopicPolicy", "AlterConfigPolicy")} <= names


def test_a_runtime_is_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Java is there and javac is not, the error says what to install."""
    monkeypatch.setattr(broker_plugin, "find_java", lambda environ: tmp_path)

    with pytest.raises(ToolchainError, match="javac was not found: install a JDK of Java 17 or newer"):
        find_compiler({"PATH": str(tmp_path)})
