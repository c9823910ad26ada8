"""Every operation of the contract that Kafka has is tried on a broker or on its own class."""

import re

import pytest

from tests.oracle.engine import Engine
from tests.oracle.page import PAGE

pytestmark = pytest.mark.opa

# Not requests of Kafka's protocol: nothing of a broker's could be compared.
_OTHERS = {
    *("AuditAcl", "AuditBroker", "AuditClientConfigs", "AuditTopic", "AuditTopicConfigs", "AuditTopicLabels"),
    *("AuditTopicName", "AlterClientConfigs", "DescribeClientConfigs"),
}

# Compared with what a broker says direct and through the gateway (tests/enforce/gateway/test_administration.py,
# test_nodes.py, test_own_tokens.py, test_commits.py), and random ones with what it takes (test_administration.py here).
_BESIDE = {
    "AddRaftVoter",
    "AlterGroupOffsets",
    "AlterReplicaLogDirs",
    "CreateDelegationToken",
    "DeleteGroup",
    "DeleteGroupOffsets",
    "ElectLeaders",
    "ExpireDelegationToken",
    "RemoveRaftVoter",
    "RenewDelegationToken",
    "UnregisterBroker",
    "UpdateFeatures",
}


def test_operations(engine: Engine) -> None:
    """The page has a row for each, and a new operation belongs there or among the others."""
    operations = {name for name, row in engine.evaluate("data.kafka.operations", {}).items() if "subject" in row}
    row = r"^\| `(\w+)` \| [A-Z]\w+(?:, \w+)* \| \d+ \|"
    tried = set(re.findall(row, PAGE.read_text(encoding="utf-8"), re.MULTILINE))

    assert operations - _OTHERS - _BESIDE == tried
    assert operations >= _OTHERS | _BESIDE
