"""Controls of frameworks as the pages show them: those that a report counts, read from the OPA that decides."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from warden.analyse.report.controls import list_controls, sort_controls
from warden.base.did_you_mean import describe_unknown
from warden.base.errors import InputError

__all__ = ["ControlTable"]


@dataclass(frozen=True)
class ControlTable:
    """The controls that rules are about.

    Args:
        rules: METADATA of the rules by id.
        frameworks: The frameworks by name, in the form of ``bundle/catalog/controls``.
    """

    rules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    frameworks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def list_rule_controls(self, id: str) -> list[dict[str, str]]:
        """Return the controls of a rule, as of `list_controls`."""
        return list_controls(self.frameworks, id, self.rules.get(id, {}))

    def to_document(self) -> list[dict[str, Any]]:
        """Return the frameworks with their controls, as JSON-ready values."""
        return [
            {
                "framework": name,
                "title": framework.get("title", name),
                "controls": [{"control": id, "title": row.get("title", "")} for id, row in sort_controls(framework)],
            }
            for name, framework in sorted(self.frameworks.items())
        ]

    def is_rule_about(self, id: str, wanted: str) -> bool:
        """Whether a rule is about a control, ``SOC2 CC6.1``, or about any of a framework, ``SOC2``; "" is all rules."""
        own = self.list_rule_controls(id) if wanted else []
        return not wanted or any(wanted in (row["framework"], f"{row['framework']} {row['control']}") for row in own)

    def check(self, wanted: str) -> None:
        """Look whether there is a control or framework.

        Raises:
            InputError: There is none; the sentence says what to write.
        """
        name, _, id = wanted.partition(" ")
        framework = self.frameworks.get(name)
        if wanted and (framework is None or (id and id not in framework["controls"])):
            choices = framework["controls"] if framework else self.frameworks
            lead = f"{name} " if framework else ""
            raise InputError(describe_unknown("control", wanted[:80], [f"{lead}{choice}" for choice in choices]))
