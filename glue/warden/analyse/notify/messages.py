"""The messages of a run: one for each owner with something new, one for each waiver that ends soon. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from warden.analyse.notify.config import Channel
from warden.analyse.report.finding import format_subject
from warden.analyse.report.waivers import WaiverUse
from warden.policy.contract.effect import OPEN_EFFECTS, format_message
from warden.policy.contract.severities import SEVERITIES, rank_severity

__all__ = ["Notice", "OwnerFindings", "group_by_owner", "iter_finding_messages", "iter_waiver_messages"]

_MAX_SHOWN_FINDINGS = 10
_MAX_LINE_CHARACTERS = 300  # characters of a line: a message may quote a value of any length


@dataclass(frozen=True)
class Notice:
    """One message.

    Args:
        subject: What it is about, the same from day to day: ``findings of payments``, ``waiver W-1``.
        title: Its first line.
        lines: What follows.
        fields: The same for programs.
        link: Where to read on.
    """

    subject: str
    title: str
    lines: Sequence[str]
    fields: Mapping[str, Any]
    link: str | None = None

    def to_document(self) -> dict[str, Any]:
        """Return it as JSON-ready values, which a channel of the format ``json`` gets."""
        texts = {"subject": self.subject, "title": self.title, "lines": list(self.lines), "link": self.link}
        return {**texts, **self.fields}


@dataclass
class OwnerFindings:
    """Findings of an owner that deny or warn.

    Args:
        counts: How many, by severity.
        first: The first of each severity, as many as a message shows.
    """

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEVERITIES, 0))
    first: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {name: [] for name in SEVERITIES})


def group_by_owner(findings: Iterable[Mapping[str, Any]]) -> dict[str | None, OwnerFindings]:
    """Return the findings that deny or warn by owner, None for those without one."""
    owners: dict[str | None, OwnerFindings] = {}
    for finding in findings:
        if finding["effect"] in OPEN_EFFECTS:
            own, severity = owners.setdefault(finding.get("owner"), OwnerFindings()), finding["severity"]
            own.counts[severity] += 1
            if len(own.first[severity]) < _MAX_SHOWN_FINDINGS:
                own.first[severity].append(_describe(finding))
    return owners


def iter_finding_messages(
    owners: Mapping[str | None, OwnerFindings], channel: Channel, *, run: str, since: str | None, link: str | None
) -> Iterator[Notice]:
    """Yield a message for each owner with findings that are worth one to a channel, by owner.

    Args:
        owners: The findings that are new.
        channel: Who gets the messages.
        run: The run's id.
        since: Id of the run that they are new since; None where there is none.
        link: Where the report is.
    """
    worth = SEVERITIES[: rank_severity(channel.severity) + 1]
    for owner, own in sorted(owners.items(), key=lambda item: item[0] or ""):
        severities = {name: count if name in worth else 0 for name, count in own.counts.items()}
        total = sum(severities.values())
        if not total or (channel.owners is not None and owner not in channel.owners):
            continue
        first = [finding for name in worth for finding in own.first[name]][:_MAX_SHOWN_FINDINGS]
        counts = ", ".join(f"{count:,} {name}" for name, count in severities.items() if count)
        new = f"new finding{'' if total == 1 else 's'}"
        title = f"{owner or 'Resources without an owner'}: {total:,} {new}"
        title = f"{title} since {since} ({counts})" if since else f"{title} ({counts})"
        more = [f"and {total - _MAX_SHOWN_FINDINGS:,} more"] if total > _MAX_SHOWN_FINDINGS else []
        fields = {"type": "findings", "run": run, "since": since, "owner": owner, "severities": severities}
        yield Notice(
            f"findings of {owner}" if owner else "findings without an owner",
            title,
            [*(_format_line(finding) for finding in first), *more],
            {**fields, "total": total, "findings": first},
            link,
        )


def iter_waiver_messages(
    waivers: Iterable[WaiverUse], channel: Channel, *, run: str, days: int, link: str | None
) -> Iterator[Notice]:
    """Yield a message for each waiver that ends within some days, soonest first.

    Args:
        waivers: The waivers that hold in the run.
        channel: Who gets the messages.
        run: The run's id.
        days: How soon is worth a message.
        link: Where the report is.
    """
    for waiver in waivers:
        if waiver.days is None or waiver.days > days:
            continue
        if channel.owners is not None and waiver.owner not in channel.owners:
            continue
        left = {0: "ends today", 1: "ends tomorrow"}.get(waiver.days, f"ends in {waiver.days} days")
        left = left if waiver.days >= 0 else "has ended"
        count = f"{waiver.findings:,} finding{'' if waiver.findings == 1 else 's'}"
        lines = [
            f"{count} of {', '.join(waiver.rules)} will deny or warn again",
            _cut(f"{waiver.ticket}: {waiver.reason}"),
        ]
        fields = {name: getattr(waiver, name) for name in ("id", "owner", "reason", "ticket", "expires", "findings")}
        yield Notice(
            f"waiver {waiver.id}",
            f"Waiver {waiver.id} of {waiver.owner} {left} ({waiver.expires})",
            lines,
            {"type": "waiver", "run": run, **fields, "rules": list(waiver.rules), "days": waiver.days},
            link,
        )


def _describe(finding: Mapping[str, Any]) -> dict[str, Any]:
    names = ("cluster", "kind", "rule", "severity", "effect", "fix")
    fields = {name: finding.get(name) for name in names}
    return {**fields, "resource": format_subject(finding), "message": format_message(finding)}


def _format_line(finding: Mapping[str, Any]) -> str:
    """One finding on one line, whatever control characters its message has."""
    fix = f" Fix: {finding['fix']}" if finding["fix"] else ""
    effect = "" if finding["effect"] == "deny" else f" ({finding['effect']})"
    about = f"{finding['resource']} on {finding['cluster']}"
    return _cut(f"{finding['severity']} {finding['rule']}{effect}: {about}: {finding['message']}.{fix}")


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MAX_LINE_CHARACTERS else f"{text[: _MAX_LINE_CHARACTERS - 1]}…"
