"""The settings file of a proposal."""

from pathlib import Path
from typing import Any

from warden.analyse.proposal.render import render_settings
from warden.base.resources import find_shipped
from warden.policy.bundle.settings import load_settings

PROPOSAL: dict[str, Any] = {
    "rules": {"KFK-GOV-001": {"mode": "deny", "words": ["a\nb"]}},
    "review": "2027-01-01",
    "uncounted": [],
    "classes": {},
    "waivers": [],
}


def test_names_of_clusters_and_topics(tmp_path: Path) -> None:
    """Whatever characters they have, the settings that are read are those that were proposed."""
    name = "".join(map(chr, (*range(1, 0xA1), 0x2028, 0xFEFF, 0xFFFF, 0x1F600, 0xE0001)))
    rules = {"KFK-GOV-001": "warn"}
    proposal = {**PROPOSAL, "classes": {name: rules}, "waivers": [{"id": "W-1", "topic": name, name: [name]}]}
    text = render_settings(proposal, source=name, profile=None, points={}, titles={})
    (file := tmp_path / "settings.yaml").write_text(text, encoding="utf-8")
    settings = load_settings(file)

    assert [{"match": {"name": name}, "rules": {"KFK-GOV-001": {"mode": "warn"}}}] == settings["clusters"]
    assert proposal["waivers"] == settings["waivers"]


def test_what_is_left_out_at_the_gateway_is_shown(tmp_path: Path) -> None:
    """A rule that reads labels denies in files, and not at the gateway, whose clients have none: both stand there."""
    points = load_settings(find_shipped("bundle") / "settings" / "data.yaml")["enforcementPoints"]
    titles = {"KFK-GOV-001": "Owner\nnamed"}
    (file := tmp_path / "settings.yaml").write_text(
        render_settings(PROPOSAL, source="s", profile=None, points=points, titles=titles), encoding="utf-8"
    )
    assert "  KFK-GOV-001: {mode: deny} # Owner?named\n" in file.read_text(encoding="utf-8")
    settings = load_settings(file)
    assert {"KFK-GOV-001": {"mode": "deny"}} == settings["rules"]
    assert {"KFK-GOV-001": {"mode": "disabled"}, "KFK-GOV-002": {"mode": "disabled"}} == settings["enforcementPoints"][
        "gateway"
    ]
