"""``warden run``: what it hands on to the scan."""


def test_settings(warden, monkeypatch, tmp_path):
    """A site's own settings decide, as with every other command that starts an OPA."""
    taken = {}

    def judged(plan, **options):
        taken.update(options)
        return 0

    monkeypatch.setattr("warden.cli.scan.judge_and_show", judged)
    settings = tmp_path / "settings.yaml"
    settings.write_text("rules: {}\n", encoding="utf-8")
    status, _, _ = warden("run", "--topics", "200", "--settings", str(settings), "--profile", "starter")

    assert (0, settings, "starter") == (status, taken["settings"], taken["profile"])
