"""The rules of a scan: their metadata, and which of them apply to what is scanned."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from warden.analyse.scan.audits import OPERATIONS
from warden.analyse.scan.plan import PreparedScan
from warden.analyse.scan.rule_metadata import read_rules_and_frameworks
from warden.policy.opa.client import OpaClient

__all__ = ["ScanRules", "read_scan_rules"]


@dataclass(frozen=True)
class ScanRules:
    """What OPA says of the rules of a scan.

    Args:
        metadata: Of each rule, by id.
        frameworks: The frameworks of controls that rules name, by name.
        applicable: (cluster, whether labels are known, kind, rule) of every rule that applies.
    """

    metadata: Mapping[str, Mapping[str, Any]]
    frameworks: Mapping[str, Any]
    applicable: list[tuple[str, bool, str, str]]


def read_scan_rules(client: OpaClient, prepared: PreparedScan) -> ScanRules:
    """Read the rules that OPA decides by.

    Raises:
        OpaError: OPA cannot be reached, or refuses.
    """
    rules, frameworks = read_rules_and_frameworks(client)
    return ScanRules(rules, frameworks, list(_iter_applicable(client, prepared)))


def _iter_applicable(client: OpaClient, prepared: PreparedScan) -> Iterator[tuple[str, bool, str, str]]:
    for cluster, has_labels in sorted({(scan.partition.cluster, scan.has_labels) for scan in prepared.scanned}):
        document = {"cluster": cluster, "enforcementPoint": "scan", "labels": has_labels}
        rules = client.evaluate("kafka/applicable_rules", document)
        for kind, operation in OPERATIONS.items():
            for rule in rules.get(operation, []):
                yield cluster, has_labels, kind, rule
