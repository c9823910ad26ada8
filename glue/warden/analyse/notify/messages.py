"""The messages of a run: one for each owner with something new, one for each waiver that ends soon. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from warden.analyse.notify.config import Channel
from warden.analyse.report.finding import format_subject
from warden.analyse.report.waivers import WaiverUse
from warden.policy.contract.effect import format_message
from warden.policy.contract.severities import SEVERITIES, severity_rank

__all__ = ["Notice", "iter_finding_messages", "iter_waiver_messages"]

_SHOWN = 10
_LONGEST = 300  # characters of a line: a message may quote a value of any length


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

    def document(self) -> dict[str, Any]:
        """Return it as JSON-ready values, which a channel of the format ``json`` gets."""
        texts = {"subject": self.subject, "title": self.title, "lines": list(self.lines), "link": self.link}
        return {**texts, **self.fields}


@dataclass
class _Owner:
    severities: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEVERITIES, 0))
    first: list[dict[str, Any]] = field(default_factory=list)


def iter_finding_messages(
    findings: Iterable[Mapping[str, Any]], channel: Channel, *, run: str, since: str | None, link: str | None
) -> Iterator[Notice]:
    """Yield a message for each owner with findings that deny or warn, by owner.

    Args:
        findings: The findings that are new, most severe first.
        channel: Who gets the messages.
        run: The run's id.
        since: Id of the run that they are new since; None where there is none.
        link: Where the report is.
    """
    owners: dict[str | None, _Owner] = {}
    for finding in findings:
        owner = finding.get("owner")
        worth = finding["effect"] in ("deny", "warn") and severity_rank(finding["severity"]) <= severity_rank(
            channel.severity
        )
        if worth and (channel.owners is None or owner in channel.owners):
            own = owners.setdefault(owner, _Owner())
            own.severities[finding["severity"]] += 1
            if len(own.first) < _SHOWN:
                own.first.append(_describe(finding))
    for owner, own in sorted(owners.items(), key=lambda item: item[0] or ""):
        total = sum(own.severities.values())
        counts = ", ".join(f"{count:,} {name}" for name, count in own.severities.items() if count)
        new = f"new finding{'' if total == 1 else 's'}"
        title = f"{owner or 'Resources without an owner'}: {total:,} {new}"
        title = f"{title} since {since} ({counts})" if since else f"{title} ({counts})"
        more = [f"and {total - _SHOWN:,} more"] if total > _SHOWN else []
        fields = {"type": "findings", "run": run, "since": since, "owner": owner, "severities": own.severities}
        yield Notice(
            f"findings of {owner}" if owner else "findings without an owner",
            title,
            [*(_line(each) for each in own.first), *more],
            {**fields, "total": total, "findings": own.first},
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
    known = {name: finding.get(name) for name in names}
    return {**known, "resource": format_subject(finding), "message": format_message(finding)}


def _line(finding: Mapping[str, Any]) -> str:
    """One finding on one line, whatever control characters its message has."""
    fix = f" Fix: {finding['fix']}" if finding["fix"] else ""
    effect = "" if finding["effect"] == "deny" else f" ({finding['effect']})"
    about = f"{finding['resource']} on {finding['cluster']}"
    return _cut(f"{finding['severity']} {finding['rule']}{effect}: {about}: {finding['message']}.{fix}")


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
