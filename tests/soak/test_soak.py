"""What a soak counts as growth and as a difference; `tests/k8s/test_soak.py` runs a short one."""

from tests.soak.figures import Sample, growth
from tests.soak.truth import Parts, differences


def test_growth():
    """Of memory, descriptors and threads, by thirds; what varies does not grow, and a few samples say nothing."""
    flat = [Sample(70.0 + at % 3, 12, 5) for at in range(12)]
    cases = {
        "flat": flat,
        "memory": [Sample(70.0 + 10 * at, 12, 5) for at in range(12)],
        "descriptors": [Sample(70.0, 12 + 3 * at, 5) for at in range(12)],
        "threads": [Sample(70.0, 12, 5 + 3 * at) for at in range(12)],
        "few": [Sample(70.0 * at, 12, 5) for at in range(8)],
    }
    grown = {name: (growth(samples) or "flat").split(" ")[0] for name, samples in cases.items()}

    assert {
        "flat": "flat",
        "memory": "memory",
        "descriptors": "descriptors",
        "threads": "threads",
        "few": "flat",
    } == grown


def test_differences():
    """Each part is compared by value, and so are the sums."""
    topic = {"topicId": "a", "replicasAssignments": {"0": [1, 2]}, "configs": {"retention.ms": "1"}}
    acl = {"resourceType": "TOPIC", "resourceName": "a", "patternType": "LITERAL", "principal": "User:a"}
    acl |= {"host": "*", "operation": "READ", "permissionType": "ALLOW"}
    replica: Parts = {
        "topics": {"t": topic},
        "acls": {"User:a": [acl]},
        "quotas": {"user=a": {"producer_byte_rate": 1.0}},
        "brokers": {"": {"configs": {"a": "b"}}, "1": {"configs": {"a": "c"}, "dynamicConfigs": {"a": "c"}}},
        "users": {"a": {"scram": {"SCRAM-SHA-256": {"iterations": 4096}}}, "ANONYMOUS": {}},
        "totals": {"topics": 1, "partitions": 1, "replicas": 2},
        "meta": {"topics": 1},
    }
    truth: Parts = {
        "topics": {"t": {"id": "a", "assignments": {"0": [1, 2]}, "configs": {"retention.ms": "1"}}},
        "acls": {"TOPIC a LITERAL User:a * READ ALLOW": {}},
        "quotas": {"user=a": {"producer_byte_rate": 1.0}},
        "brokers": {"": {"a": "b"}, "1": {"a": "c"}},
        "users": {"a": {"SCRAM-SHA-256": {"iterations": 4096}}},
    }
    others: Parts = {
        "topics": {"t": {**truth["topics"]["t"], "configs": {"retention.ms": "2"}}},
        "acls": {"TOPIC a LITERAL User:a * WRITE ALLOW": {}},
        "quotas": {"user=a": {"producer_byte_rate": 2.0}},
        "brokers": {"": {"a": "b"}, "1": {"a": "d"}},
        "users": {"a": {"SCRAM-SHA-256": {"iterations": 8192}}},
    }

    assert [] == differences(replica, truth)
    for part, other in others.items():
        assert [part] == [line.split(":")[0] for line in differences(replica, {**truth, part: other})]
    assert 1 == len(differences({**replica, "totals": {"topics": 2, "partitions": 1, "replicas": 2}}, truth))
    assert 1 == len(differences({**replica, "meta": {"topics": 1, "unknown": ["acls"]}}, truth))
