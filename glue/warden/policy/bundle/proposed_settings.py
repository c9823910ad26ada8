"""Settings that an estate can begin with: what to count of it, and what Rego proposes from the counts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from warden.policy.bundle.layers import read_effective_settings
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.opa import evaluate_opa

__all__ = ["ProposalChecker"]

_PACKAGE = "checks.proposal"


@dataclass(frozen=True)
class ProposalChecker:
    """The package `checks.proposal`, with the rules and the settings that a proposal lies on.

    Args:
        opa: The OPA binary.
        policies: Directory of the policies.
        rules: The rules' metadata by id.
        settings: What ships, and the profile over it.
    """

    opa: Path
    policies: Path
    rules: Mapping[str, Any]
    settings: Mapping[str, Any]

    @classmethod
    def read(cls, opa: Path, policies: Path, profile: str | None) -> "ProposalChecker":
        """Read rules and settings.

        Raises:
            SettingsError: There is no such profile.
        """
        rules = read_rule_metadata(opa, policies)
        return cls(opa, policies, rules, read_effective_settings(opa, policies, rules, profile))

    def evaluate_survey(self, clusters: Sequence[str]) -> dict[str, Any]:
        """Return what to count of clusters of these names, see `checks.proposal.survey`."""
        return self._ask("survey", {"clusters": clusters})

    def evaluate_proposal(self, counts: Mapping[str, Any], day: date) -> dict[str, Any]:
        """Return what is proposed from counts of `spark_jobs.analyse.count_survey`, see `checks.proposal.settings`."""
        return self._ask("settings", {"counts": counts, "day": day.isoformat()})

    def _ask(self, name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        package = self.policies / "checks/proposal"
        document = json.dumps({"rules": self.rules, "settings": self.settings, **fields})
        data = ("--data", str(package / "survey.rego"), "--data", str(package / "proposal.rego"))
        limits = ("--data", f"{_PACKAGE}:{package / 'data.yaml'}")
        answer: dict[str, Any] = evaluate_opa(self.opa, *data, *limits, f"data.{_PACKAGE}.{name}", stdin=document)
        return answer
