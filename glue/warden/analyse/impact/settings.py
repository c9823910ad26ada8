"""Differences between the settings of two bundles: each mode, parameter, exception and waiver by itself. Pure."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["SettingChange", "compare_settings", "format_value"]

_Place = tuple[str, ...]


@dataclass(frozen=True)
class SettingChange:
    """One value that differs.

    Args:
        subject: The rule's id, or ``waiver W-1``, or the name of a setting for the whole bundle.
        name: ``mode``, a parameter's name, ``enforceFrom``, …; empty where the subject itself came or went.
        scope: Where it holds: empty for everywhere, ``clusters {"name": "dev-*"}``, ``enforcement point ci``.
        before, after: JSON values; None where there is none.
    """

    subject: str
    name: str
    scope: str
    before: Any
    after: Any

    @property
    def words(self) -> str:
        """The change for a person: ``KFK-SIZ-001 maxPartitions 100 → 50``."""
        what = " ".join(filter(None, [self.subject, self.name, f"({self.scope})" if self.scope else ""]))
        if self.before is None:
            return f"{what} added" + ("" if self.after is True else f": {format_value(self.after)}")
        if self.after is None:
            return f"{what} removed" + ("" if self.before is True else f": {format_value(self.before)}")
        return f"{what} {format_value(self.before)} → {format_value(self.after)}"


def compare_settings(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[SettingChange]:
    """Compare two settings documents, by subject.

    Args:
        before, after: The effective settings of two bundles: rules, clusters, enforcement points, waivers and the rest.
    """
    was, will = dict(_iter_values(before)), dict(_iter_values(after))
    gone = _list_rules(before) ^ _list_rules(after)
    changes = [
        SettingChange(rule, "", "", *((True, None) if rule in _list_rules(before) else (None, True)))
        for rule in sorted(gone)
    ]
    for key in sorted(was.keys() | will.keys()):
        scope, subject, name = key
        if was.get(key) != will.get(key) and not (subject in gone and not scope):
            changes.append(SettingChange(subject, name, scope, was.get(key), will.get(key)))
    return sorted(changes, key=lambda change: (not change.subject.startswith("KFK"), change.subject, change.scope))


def _list_rules(settings: Mapping[str, Any]) -> set[str]:
    return set(settings.get("rules", {}))


def _iter_values(settings: Mapping[str, Any]) -> Iterator[tuple[_Place, Any]]:
    """((scope, subject, name), value)."""
    for key, value in settings.items():
        if key == "rules":
            yield from _iter_rule_values("", value)
        elif key == "clusters":
            for entry in value:
                scope = f"clusters {format_value(entry.get('match', {}))}"
                yield from _iter_rule_values(scope, entry.get("rules", {}))
                yield from _iter_rule_values(scope, {key: entry[key] for key in entry if key not in {"match", "rules"}})
        elif key == "enforcementPoints":
            for name, rules in value.items():
                yield from _iter_rule_values(f"enforcement point {name}", rules)
        elif key == "waivers":
            for waiver in value:
                yield ("", f"waiver {waiver.get('id', '')}", ""), dict(waiver)
        elif key != "compiled":
            yield ("", key, ""), value


def _iter_rule_values(scope: str, rules: Mapping[str, Any]) -> Iterator[tuple[_Place, Any]]:
    for rule, setting in rules.items():
        for name, value in setting.items():
            if name == "params":
                for param, param_value in value.items():
                    yield (scope, rule, param), param_value
            else:
                yield (scope, rule, name), value


def format_value(value: Any) -> str:
    """Return a setting's value for a person: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
