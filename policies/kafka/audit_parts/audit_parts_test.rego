package kafka.audit_parts_test

import data.kafka.audit_parts

_shared := {"now": 7, "params": {"KFK-NAM-001": {}}}

_document(operation, request) := {
	"operation": operation,
	"cluster": "c",
	"request": request,
	"clusterState": {"defaults": {"segment.ms": "5"}},
}

_common := {
	"operation": "AuditTopic",
	"cluster": "c",
	"clusterState": {"defaults": {"segment.ms": "5"}},
	"now": 7,
	"params": {"KFK-NAM-001": {}},
}

_prepared(operation, request) := object.remove(
	audit_parts.prepared(operation, _shared, _document(operation, request)),
	["request"],
)

test_name if {
	prepared := _prepared("AuditTopicName", {"topic": "t", "internal": false})
	prepared == object.union(_common, {"part": "name", "topic": "t", "requested": {"internal": false}})
}

test_labels[note] if {
	some note, topic in {"without the name": {}, "with it": {"topic": "t"}}
	request := object.union({"labels": {"owner": "o"}, "internal": true}, topic)
	expected := {"part": "labels", "labels": {"owner": "o"}, "requested": {"internal": true}}
	_prepared("AuditTopicLabels", request) == object.union_n([_common, expected, topic])
}

test_configs[note] if {
	some note, topic in {"without the name": {}, "with it": {"topic": "t"}}
	request := object.union(topic, {
		"numPartitions": 3,
		"replicationFactor": 2,
		"configs": {"retention.ms": "9"},
		"labels": {"tier": "gold"},
		"internal": false,
	})
	prepared := _prepared("AuditTopicConfigs", request)
	state := object.union(request, {"values": {"retention.ms": 9}})
	expected := {"part": "configs", "labels": {"tier": "gold"}, "current": state, "requested": state}
	object.remove(prepared, ["effective"]) == object.union_n([_common, expected, topic])
	named := object.filter(prepared.effective.values, ["retention.ms", "segment.ms", "min.insync.replicas"])
	named == {"retention.ms": 9, "segment.ms": 5, "min.insync.replicas": 1}
}
