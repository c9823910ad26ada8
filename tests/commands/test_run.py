"""``warden run``: what it hands on to the scan."""

from typing import Any

import pytest

pytestmark = pytest.mark.process


def test_settings(warden, monkeypatch, tmp_path):
    """A site's own settings decide, as with every other command that starts an OPA."""
    taken: dict[str, Any] = {}

    def scan(options, **words):
        taken.update(options=options, **words)
        return 0

    monkeypatch.setattr("warden.commands.scan.scan", scan)
    settings = tmp_path / "settings.yaml"
    settings.write_text("rules: {}\n", encoding="utf-8")
    status, _, _ = warden("run", "--topics", "200", "--settings", str(settings), "--profile", "starter")

    assert (0, settings, "starter") == (status, taken["options"].settings, taken["options"].profile)
