"""Findings of an upgrade check as lines to read."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from warden.analyse.upgrade.snapshot_upgrade import DEFAULT_OUTCOME, UpgradeFinding

__all__ = ["iter_headline", "iter_lines"]


def iter_lines(gaps: Mapping[str, list[str]], changed: Iterable[UpgradeFinding], after: str) -> Iterator[str]:
    """Yield a headline for each cluster, and two lines for each finding.

    Args:
        gaps: By the name of each cluster what of it is not known.
        changed: Findings of these clusters; of one that is in two snapshots those of both.
        after: The release to come.
    """
    by_cluster: dict[str, list[UpgradeFinding]] = {name: [] for name in gaps}
    for finding in changed:
        by_cluster[finding.cluster].append(finding)
    for name, own in by_cluster.items():
        yield from iter_headline(name, after, Counter(finding.outcome for finding in own), gaps[name])
        for finding in own:
            yield f"  {finding.outcome} {_format_place(finding)}"
            yield f"    {finding.message}"


def _format_place(finding: UpgradeFinding) -> str:
    if finding.component == "brokerDefaults":
        return f"brokers: {finding.config}, which not all of them set"
    if finding.component == "acl":
        return f"ACL of {finding.resource}: {finding.config}"
    where = "feature" if finding.component == "features" else f"{finding.component} {finding.resource}:"
    return f"{where} {finding.config}={json.dumps(finding.value, ensure_ascii=False)}"


def iter_headline(name: str, after: str, counts: Mapping[str, int], gap: Sequence[str]) -> Iterator[str]:
    """Yield how much of each kind a cluster has, and what of it is not known.

    Args:
        name: The cluster.
        after: The release to come.
        counts: Findings by outcome.
        gap: As of `warden.analyse.upgrade.snapshot_upgrade.list_gaps`.
    """
    refused, removed, reinterpreted = (counts.get(outcome, 0) for outcome in ("refused", "removed", "reinterpreted"))
    defaults = [] if gap and DEFAULT_OUTCOME not in counts else [f"{counts.get(DEFAULT_OUTCOME, 0)} defaults change"]
    what = f"would refuse {refused}, not know {removed} and reinterpret {reinterpreted} of what is set"
    yield "; ".join([f"{name}: Kafka {after} {what}", *defaults])
    if gap:
        yield f"  not known, and left out: {', '.join(gap)}"
