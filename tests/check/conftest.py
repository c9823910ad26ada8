"""Files as people write them, and what is read in them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from warden.check.files import read_paths
from warden.check.model import Contents

Read = Callable[..., Contents]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Writes a text to a file, ``f.yaml`` where no name is given, and reads it."""
    monkeypatch.chdir(tmp_path)

    def write_and_read(text: str | bytes, name: str = "f.yaml") -> Contents:
        Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_paths([Path(name)])

    return write_and_read
