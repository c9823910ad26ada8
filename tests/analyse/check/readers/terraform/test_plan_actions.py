"""What a plan does to each resource that is read: each cell of the table of actions in docs/reference/check.md."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.analyse.check.conftest import Read
from tests.analyse.check.readers.terraform.test_terraform import plan, resource
from tests.analyse.check.readers.test_intentions import describe, read_table
from warden.analyse.check.readers.terraform.resources import READERS

_TABLE = read_table("| a plan's actions")
_ACL = {
    "resource_type": "Topic",
    "resource_name": "a",
    "pattern_type": "Literal",
    "principal": "User:a",
    "host": "*",
    "operation": "Read",
    "permission_type": "Allow",
}
COLUMNS: Mapping[str, Mapping[str, dict[str, Any]]] = {
    "topic": {
        "kafka_topic": {"name": "a", "partitions": 3, "replication_factor": 3, "config": {}},
        "confluent_kafka_topic": {"topic_name": "a", "partitions_count": 3, "config": {}},
        "aiven_kafka_topic": {"topic_name": "a", "partitions": 3, "replication": 3, "config": []},
        "redpanda_topic": {"name": "a", "partition_count": 3, "replication_factor": 3},
        "aws_msk_topic": {"name": "a", "partition_count": 3, "replication_factor": 3},
    },
    "acl": {
        "kafka_acl": {
            "resource_type": "Topic",
            "resource_name": "a",
            "acl_principal": "User:a",
            "acl_operation": "Read",
            "acl_permission_type": "Allow",
        },
        "confluent_kafka_acl": {**_ACL, "permission": "ALLOW"},
        "confluent_role_binding": {
            "principal": "User:a",
            "role_name": "DeveloperRead",
            "crn_pattern": "crn://confluent.cloud/kafka=lkc-1/topic=a",
        },
        "aiven_kafka_acl": {"topic": "a", "username": "a", "permission": "read"},
        "aiven_kafka_native_acl": _ACL,
        "redpanda_acl": {**_ACL, "resource_pattern_type": "LITERAL"},
    },
    "quota": {
        "kafka_quota": {"entity_type": "user", "entity_name": "a", "config": {"producer_byte_rate": 1}},
        "confluent_kafka_client_quota": {"principals": ["a"], "throughput": [{"ingress_byte_rate": "1"}]},
        "aiven_kafka_quota": {"user": "a", "producer_byte_rate": 1},
    },
    "credential": {"kafka_user_scram_credential": {"username": "a", "scram_mechanism": "SCRAM-SHA-512"}},
}
"""Column → type of a resource → its attributes."""
_CASES = [(i, type, values) for i, kind in enumerate(COLUMNS.values()) for type, values in kind.items()]


def test_every_resource_is_here() -> None:
    """With attributes."""
    assert READERS.keys() == {type for _, type, _ in _CASES}


@pytest.mark.parametrize("actions", _TABLE)
@pytest.mark.parametrize(("column", "type", "values"), _CASES, ids=[type for _, type, _ in _CASES])
def test_actions(read: Read, column: int, type: str, values: dict[str, Any], actions: str) -> None:
    """Replacements in both orders; what is imported or moved goes by the same actions, and an old object goes."""
    wanted = re.findall("[a-z-]+", actions)
    more: Mapping[str, dict[str, Any]] = {
        "as it is": {},
        "moved": {"previous_address": f"{type}.before"},
        "without a mode": {"mode": None},
    }
    for each in more.values():
        change = resource(wanted, values, values, type=type, **each)
        assert _TABLE[actions][column] == describe(read(plan(change)))
        change["change"]["importing"] = {"id": "a"}
        assert _TABLE[actions][column] == describe(read(plan(change)))
        assert _TABLE["`delete`"][column] == describe(read(plan({**change, "deposed": "ab12"})))
