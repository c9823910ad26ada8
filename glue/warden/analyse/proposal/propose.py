"""A whole proposal of settings: survey an estate's snapshot, have it counted, and write what Rego proposes."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from warden.analyse.proposal.render import render_settings
from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.layers import read_layers
from warden.policy.bundle.proposed_settings import ProposalChecker
from warden.policy.bundle.settings import load_settings
from warden.state.snapshot.layout import select_latest_partitions

__all__ = ["Counting", "Proposal", "write_proposal"]

Counting = Callable[[Path, Mapping[str, Any]], Mapping[str, Any]]
"""Counts what a snapshot breaks under a survey's settings; of `spark_jobs.analyse.count_snapshot`."""


@dataclass(frozen=True)
class Proposal:
    """What was proposed.

    Args:
        clusters: Number of clusters that were looked at.
        modes: How many rules have each mode.
        waivers: Number of waivers.
        uncounted: Number of rules that stay as they were.
    """

    clusters: int
    modes: Mapping[str, int]
    waivers: int
    uncounted: int


def write_proposal(snapshot: Path, profile: str | None, out: Path, day: date, count: Counting) -> Proposal:
    """Write settings that fit what is there.

    Args:
        snapshot: The snapshot directory; each cluster's newest day counts.
        profile: What the settings lie on; None for what ships alone.
        out: The file; replaced.
        day: From when waivers hold.
        count: Counts what the snapshot breaks.

    Raises:
        InputError: There is no snapshot.
        SettingsError: There is no such profile.
    """
    clusters = [partition.cluster for partition in select_latest_partitions(snapshot)]
    rules = ProposalChecker.read(find_opa(), find_shipped("policies"), profile)
    proposed = rules.evaluate_proposal(count(snapshot, rules.evaluate_survey(clusters)), day)
    points = load_settings(find_shipped("bundle") / "settings" / "data.yaml").get("enforcementPoints", {})
    titles = {id: rule.get("title", "") for id, rule in rules.rules.items()}
    text = render_settings(proposed, source=str(snapshot), profile=profile, points=points, titles=titles)
    out.write_text(text, encoding="utf-8")
    read_layers(out, profile)
    modes = Counter(rule["mode"] for rule in proposed["rules"].values())
    return Proposal(len(clusters), modes, len(proposed["waivers"]), len(proposed["uncounted"]))
