"""First steps: the rules and owners behind most of what is denied, then of what is warned of. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from warden.policy.contract.effect import EFFECTS, OPEN_EFFECTS
from warden.policy.contract.severities import rank_severity

__all__ = ["FirstSteps", "OwnerStep", "RuleStep"]

_MAX_STEPS, _MAX_SHARES = 5, 3


@dataclass(frozen=True)
class RuleStep:
    """A rule to keep.

    Args:
        rule, severity: As in its findings.
        denied, warned: Number of findings.
        fix: The fix of its first finding that denies, else of its first, empty where it has none.
        owners: Those with most of its findings, None for resources without an owner, and how many each has.
        others: How many owners there are beside.
    """

    rule: str
    severity: str
    denied: int
    warned: int
    fix: str
    owners: tuple[tuple[str | None, int], ...]
    others: int


@dataclass(frozen=True)
class OwnerStep:
    """What an owner is to begin with.

    Args:
        owner: None for resources without one.
        denied, warned: Number of findings.
        rules: (rule, findings that deny, findings that warn), what denies and is most severe first.
        others: How many rules there are beside.
    """

    owner: str | None
    denied: int
    warned: int
    rules: tuple[tuple[str, int, int], ...]
    others: int


@dataclass
class FirstSteps:
    """Counts findings that pass by; what is in dry run or waived is nothing to do."""

    _counts: Counter[tuple[str, str | None, str]] = field(default_factory=Counter)
    _groups: dict[tuple[str, str | None], Counter[str]] = field(default_factory=dict)
    _severities: dict[str, str] = field(default_factory=dict)
    _fixes: dict[str, tuple[bool, str]] = field(default_factory=dict)

    def iter_counted(self, findings: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the findings as they are, and count on the way."""
        for finding in findings:
            rule, effect = finding["rule"], finding["effect"]
            for kind in ("cluster", "owner"):
                self._groups.setdefault((kind, finding.get(kind)), Counter())[effect] += 1
            if effect in OPEN_EFFECTS:
                self._counts[rule, finding.get("owner"), effect] += 1
                self._severities.setdefault(rule, finding["severity"])
                denies = effect == "deny"
                if finding.get("fix") and (rule not in self._fixes or (denies and not self._fixes[rule][0])):
                    self._fixes[rule] = (denies, finding["fix"])
            yield finding

    def count_effects(self, kind: str, name: str | None) -> dict[str, int]:
        """Return the findings of one ``cluster`` or ``owner`` by effect, in the order of `EFFECTS`."""
        counts: Mapping[str, int] = self._groups.get((kind, name), {})
        return {effect: counts.get(effect, 0) for effect in EFFECTS}

    def rank_rules(self) -> list[RuleStep]:
        """Return the first rules to keep: those that deny, then the most severe, then the most frequent."""
        by_rule: dict[str, Counter[str | None]] = {}
        totals: dict[str, Counter[str]] = {}
        for (rule, owner, effect), count in self._counts.items():
            by_rule.setdefault(rule, Counter())[owner] += count
            totals.setdefault(rule, Counter())[effect] += count
        steps = [
            RuleStep(
                rule,
                self._severities[rule],
                totals[rule]["deny"],
                totals[rule]["warn"],
                self._fixes.get(rule, (False, ""))[1],
                tuple(sorted(owners.items(), key=lambda share: (-share[1], share[0] or ""))[:_MAX_SHARES]),
                max(0, len(owners) - _MAX_SHARES),
            )
            for rule, owners in by_rule.items()
        ]
        return sorted(steps, key=lambda step: (self._compute_urgency(step.rule, step.denied), -step.warned, step.rule))[
            :_MAX_STEPS
        ]

    def rank_owners(self) -> list[OwnerStep]:
        """Return the first owners to speak with: those with most that is denied, then with most that is warned of."""
        by_owner: dict[str | None, dict[str, Counter[str]]] = {}
        for (rule, owner, effect), count in self._counts.items():
            by_owner.setdefault(owner, {}).setdefault(rule, Counter())[effect] += count
        steps = []
        for owner, rules in by_owner.items():
            shares = [(rule, count["deny"], count["warn"]) for rule, count in rules.items()]
            shares.sort(key=lambda share: (self._compute_urgency(share[0], share[1]), -share[2], share[0]))
            total = sum(rules.values(), Counter[str]())
            others = max(0, len(shares) - _MAX_SHARES)
            steps.append(OwnerStep(owner, total["deny"], total["warn"], tuple(shares[:_MAX_SHARES]), others))
        return sorted(steps, key=lambda step: (-step.denied, -step.warned, step.owner or ""))[:_MAX_STEPS]

    def _compute_urgency(self, rule: str, denied: int) -> tuple[bool, int, int]:
        return denied == 0, rank_severity(self._severities[rule]), -denied
