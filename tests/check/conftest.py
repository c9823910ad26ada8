"""Files as people write them, and what is read in them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from warden.check.files import read_paths
from warden.check.model import Contents
from warden.opa.local import LocalOpa

Read = Callable[..., Contents]
Check = Callable[..., Result]

GOOD = "topic: shop.good\nnumPartitions: 3\nconfigs: {retention.ms: 5000}\n"
BAD = "topic: shop.bad\nnumPartitions: 30\nconfigs:\n  retention.ms: 10\n"


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Writes a text to a file, ``f.yaml`` where no name is given, and reads it."""
    monkeypatch.chdir(tmp_path)

    def write_and_read(text: str | bytes, name: str = "f.yaml") -> Contents:
        Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_paths([Path(name)])

    return write_and_read


@pytest.fixture
def check(few_opa: LocalOpa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Runs `warden check` in a directory with a good file and a bad one."""
    from warden.cli.check import command

    monkeypatch.chdir(tmp_path)
    Path("good.yaml").write_text(GOOD)
    Path("bad.yaml").write_text(BAD)
    options = ["--opa-url", few_opa.url, "--opa-token", few_opa.tokens.query]

    def run(*arguments: str, **more: Any) -> Result:
        return CliRunner().invoke(command, [*arguments, *options], standalone_mode=False, **more)

    return run
