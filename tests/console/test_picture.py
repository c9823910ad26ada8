"""Pictures are of a scan that ended well, or there are none."""

from pathlib import Path
from typing import Any

import pytest

from tests.console.picture import scan_estate
from warden.base.errors import InputError
from warden.commands import EXIT_DENIED, EXIT_ERROR, EXIT_OK


@pytest.mark.parametrize("status", [EXIT_OK, EXIT_DENIED, EXIT_ERROR])
def test_the_status_of_the_scan(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    """Findings are what the pictures show; what was not evaluated ends it."""
    monkeypatch.setattr("warden.commands.scan.scan", lambda _options: status)
    if status == EXIT_ERROR:
        with pytest.raises(SystemExit, match=r"^the scan of s ended with status 2:"):
            scan_estate(Path("s"), Path("r"), "http://127.0.0.1:9", "t")
    else:
        scan_estate(Path("s"), Path("r"), "http://127.0.0.1:9", "t")


def test_a_scan_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its error is the end's."""

    def fail(_options: Any) -> int:
        raise InputError("s: no such directory")

    monkeypatch.setattr("warden.commands.scan.scan", fail)
    with pytest.raises(InputError, match=r"^s: no such directory$"):
        scan_estate(Path("s"), Path("r"), "http://127.0.0.1:9", "t")
