package kafka.base.request_test

import data.kafka.base.request
import data.kafka.fixtures_test as fixtures
import data.kafka.operations

_fields := concat(", ", [
	"api, brokerId, cluster, clusterState, clusters, enforcementPoint",
	"now, operation, pending, principal, request, unknown, validateOnly",
])

_operations := concat(", ", sort(object.keys(operations)))

# One field at a time, replaced in an input that is good.
test_envelope[note] if {
	some note, tc in {
		"operation": {"fields": {"operation": 3}, "error": "operation: 3 is not a string"},
		"operation unknown": {
			"fields": {"operation": "createTopic"},
			"error": concat(" ", ["operation: \"createTopic\" is unknown (did you mean CreateTopic?): use one of", _operations]),
		},
		"operation empty": {
			"fields": {"operation": ""},
			"error": concat(" ", ["operation: \"\" is unknown: use one of", _operations]),
		},
		"cluster": {"fields": {"cluster": null}, "error": "cluster: null is not a non-empty string"},
		"principal": {
			"fields": {"principal": "User:alice"},
			"error": "principal: \"User:alice\" is not an object {\"type\": \"User\", \"name\": \"alice\"}",
		},
		"principal null": {
			"fields": {"principal": null},
			"error": "principal: null is not an object {\"type\": \"User\", \"name\": \"alice\"}",
		},
		"api": {
			"fields": {"api": {"key": "CreateTopic", "version": 7}},
			"error": concat("", [
				`api: {"key":"CreateTopic","version":7} is not an object {"key": "CreateTopics", "version": 7}, its key one of `,
				"AddRaftVoter, AlterClientConfigs, AlterClientQuotas, AlterConfigs, AlterPartitionReassignments, ",
				"AlterReplicaLogDirs, AlterShareGroupOffsets, AlterUserScramCredentials, CreateAcls, ",
				"CreateDelegationToken, CreatePartitions, CreateTopics, DeleteAcls, DeleteGroups, DeleteRecords, ",
				"DeleteShareGroupOffsets, DeleteTopics, DescribeClientConfigs, ElectLeaders, ExpireDelegationToken, ",
				"IncrementalAlterConfigs, Metadata, OffsetCommit, OffsetDelete, RemoveRaftVoter, ",
				"RenewDelegationToken, TxnOffsetCommit, UnregisterBroker, UpdateFeatures",
			]),
		},
		"api null": {
			"fields": {"api": null},
			"error": concat("", ["api: null is not ", request.kinds.api.words]),
		},
		"enforcementPoint": {"fields": {"enforcementPoint": 1}, "error": "enforcementPoint: 1 is not a string"},
		"validateOnly": {"fields": {"validateOnly": "true"}, "error": "validateOnly: \"true\" is not true or false"},
		"now": {
			"fields": {"now": "yesterday"},
			"error": "now: \"yesterday\" is not a time in RFC 3339, as in \"2026-11-21T10:00:00Z\"",
		},
		"request": {"fields": {"request": ["topic"]}, "error": "request: [\"topic\"] is not an object"},
		"request null": {"fields": {"request": null}, "error": "request: null is not an object"},
		"clusterState": {"fields": {"clusterState": false}, "error": "clusterState: false is not an object"},
		"clusterState null": {"fields": {"clusterState": null}, "error": "clusterState: null is not an object"},
		"unknown": {
			"fields": {"unknown": ["/configs"]},
			"error": concat("", ["unknown: [\"/configs\"] is not ", request.kinds.pointers.words]),
		},
		"unknown field": {
			"fields": {"Cluster": "x"},
			"error": concat("", ["Cluster: unknown field (did you mean cluster?): use ", _fields]),
		},
		"long values are not repeated": {
			"fields": {"enforcementPoint": [concat("", ["x" | some _ in numbers.range(1, 80)])]},
			"error": "enforcementPoint: this array is not a string",
		},
	}
	{tc.error} == request.errors(fixtures.document(tc.fields))
}

_creates := "configs, labels, numPartitions, replicasAssignments, replicationFactor, topic"

_assigned := "an object of partition numbers to lists of broker ids, as in {\"0\": [1, 2]}"

_alters := concat(", ", [
	"allowReplicationFactorChange",
	"configs",
	"labels",
	"newAssignments",
	"numPartitions",
	"reassignments",
	"replicationFactor",
	"topic",
])

_changed := concat("", [
	"a config change: {\"mode\": \"incremental\", \"ops\": […]}, {\"mode\": \"full\", \"entries\": {…}} ",
	"or {\"mode\": \"resolved\", \"before\": {…}, \"after\": {…}}",
])

test_request[note] if {
	some note, tc in {
		"topic": {"operation": "CreateTopic", "fields": {"topic": 1}, "error": "topic: 1 is not a string"},
		"topic empty": {"operation": "AuditTopic", "fields": {"topic": ""}, "error": "topic: \"\" is not a non-empty string"},
		"numPartitions": {
			"operation": "CreateTopic",
			"fields": {"numPartitions": "6"},
			"error": "numPartitions: \"6\" is not an integer",
		},
		"numPartitions null": {
			"operation": "CreateTopic",
			"fields": {"numPartitions": null},
			"error": "numPartitions: null is not an integer",
		},
		"replicationFactor": {
			"operation": "CreateTopic",
			"fields": {"replicationFactor": 2.5},
			"error": "replicationFactor: 2.5 is not an integer",
		},
		"replicasAssignments": {
			"operation": "CreateTopic",
			"fields": {"replicasAssignments": [[1]]},
			"error": concat("", ["replicasAssignments: [[1]] is not ", _assigned]),
		},
		"configs": {
			"operation": "CreateTopic",
			"fields": {"configs": {"retention.ms": 5}},
			"error": "configs: {\"retention.ms\":5} is not an object of config names to strings or null",
		},
		"labels": {
			"operation": "CreateTopic",
			"fields": {"labels": {"owner": null}},
			"error": "labels: {\"owner\":null} is not an object of label names to strings",
		},
		"a field of another operation": {
			"operation": "CreateTopic",
			"fields": {"reassignments": {}},
			"error": concat("", ["reassignments: unknown field (did you mean replicasAssignments?): use ", _creates]),
		},
		"change": {
			"operation": "AlterTopic",
			"fields": {"configs": {"retention.ms": "5"}},
			"error": concat("", ["configs: {\"retention.ms\":\"5\"} is not ", _changed]),
		},
		"newAssignments": {
			"operation": "AlterTopic",
			"fields": {"newAssignments": [1]},
			"error": "newAssignments: [1] is not a list of lists of broker ids, as in [[1, 2], [2, 3]]",
		},
		"labels of an alteration": {
			"operation": "AlterTopic",
			"fields": {"labels": {"owner": 5}},
			"error": "labels: {\"owner\":5} is not an object of label names to strings",
		},
		"a field that alterations lack": {
			"operation": "AlterTopic",
			"fields": {"label": {}},
			"error": concat("", ["label: unknown field (did you mean labels?): use ", _alters]),
		},
		"an audit has a topic only": {
			"operation": "AuditTopic",
			"fields": {"configs": {}},
			"error": "configs: unknown field: use topic",
		},
	}
	document := fixtures.document({"operation": tc.operation, "request": tc.fields})
	{concat("", ["request.", tc.error])} == request.errors(document)
}

test_missing[field] if {
	some field, error in {
		"operation": "operation is missing: give a string",
		"cluster": "cluster is missing: give a non-empty string",
		"request": "request is missing: give an object",
	}
	{error} == request.errors(object.remove(fixtures.document({}), [field]))
}

test_topic_is_missing[operation] if {
	some operation, wanted in {"CreateTopic": "a string", "AlterTopic": "a string", "AuditTopic": "a non-empty string"}
	document := object.union(object.remove(fixtures.document({"operation": operation}), ["request"]), {"request": {}})
	{$"request.topic is missing: give {wanted}"} == request.errors(document)
}

test_every_problem_is_named if {
	request.errors({"operation": 1, "topic": "x"}) == {
		"operation: 1 is not a string",
		"cluster is missing: give a non-empty string",
		"request is missing: give an object",
		concat("", ["topic: unknown field: use ", _fields]),
	}
}

test_no_object_at_all[note] if {
	some note, document in {"null": null, "list": [], "string": "x", "number": 3, "boolean": false}
	{"the input is not a JSON object: send one decision input"} == request.errors(document)
}

test_cluster_of_which_nothing_is_known[note] if {
	some note, tc in {
		"never replicated": {"clusters": {"prod-us": {}}, "known": false},
		"replicated": {"clusters": {"prod-eu": {}}, "known": true},
	}
	document := object.remove(fixtures.document({}), ["clusterState"])
	sentence := "cluster: nothing is known of \"prod-eu\": replicate it or send clusterState"
	errors := {error | some error in request.errors(document)} with data.clusters as tc.clusters
	errors == {sentence | not tc.known}
	through := object.union(document, {"enforcementPoint": "gateway"})
	other := "cluster: no state of \"prod-eu\" is replicated: see that the replicator has it, and runs"
	others := {error | some error in request.errors(through)} with data.clusters as tc.clusters
	others == {other | not tc.known}
}

test_cluster_that_is_being_loaded if {
	document := object.remove(fixtures.document({}), ["clusterState"])
	nullable := object.union(object.remove(document, ["request"]), {
		"operation": "DescribeClientConfigs",
		"request": {"components": [], "supportedConfigs": null},
	})
	replicas := {"prod-eu": {"meta": {"loading": true}, "topics": {}}}
	sentence := "cluster: the state of \"prod-eu\" is being loaded: ask again in a moment"
	{sentence} == request.errors(document) with data.clusters as replicas
	not request.is_well_formed(document, document) with data.clusters as replicas
	not request.is_well_formed(nullable, nullable) with data.clusters as replicas
	not request.is_known(document) with data.clusters as replicas
	request.is_well_formed(document, document) with data.clusters as {"prod-eu": {"meta": {}}}
	request.is_well_formed(nullable, nullable) with data.clusters as {"prod-eu": {"meta": {}}}
	stated := fixtures.document({})
	request.is_well_formed(stated, stated) with data.clusters as replicas
}

_no_common := "common: not a JSON object: send the fields that the items share, or none"

test_common_of_a_batch[note] if {
	some note, tc in {
		"none": {"common": {}, "errors": set()},
		"a part of an input": {"common": {"cluster": "prod-eu", "now": fixtures.now}, "errors": set()},
		"wrong and unknown": {
			"common": {"cluster": 1, "topic": "x"},
			"errors": {
				"common.cluster: 1 is not a non-empty string",
				concat("", ["common.topic: unknown field: use ", _fields]),
			},
		},
		"wrong inside": {
			"common": {"cluster": "prod-eu", "now": "today"},
			"errors": {"common.now: \"today\" is not a time in RFC 3339, as in \"2026-11-21T10:00:00Z\""},
		},
		"null": {"common": null, "errors": {_no_common}},
		"a list": {"common": [], "errors": {_no_common}},
	}
	tc.errors == request.envelope_errors(tc.common)
}

# An empty name has no error where Kafka has a refusal of its own for it, and fits nowhere.
test_empty_name[operation] if {
	some operation, errors in {
		"CreateTopic": set(),
		"AlterTopic": set(),
		"DeleteTopic": set(),
		"AuditTopic": {"request.topic: \"\" is not a non-empty string"},
	}
	document := fixtures.document({"operation": operation, "request": {"topic": ""}})
	[_errors(document), {true | request.is_well_formed(document, document)}] == [errors, set()]
}

# What fits has no errors, and the other way round, as far as fields go.
test_fits[note] if {
	some note, tc in {
		"the least": {"fields": {}, "fits": true},
		"everything": {
			"fields": {
				"principal": {"type": "User", "name": "alice"},
				"enforcementPoint": "ci",
				"validateOnly": true,
				"api": {"key": "CreateTopics", "version": 7},
				"request": {"numPartitions": 1, "replicationFactor": 1, "configs": {"a": null}, "labels": {"owner": "x"}},
			},
			"fits": true,
		},
		"wrong kind": {"fields": {"enforcementPoint": 1}, "fits": false},
		"right kind, wrong inside": {"fields": {"now": "later"}, "fits": false},
		"unknown": {
			"fields": {"unknown": ["/configs"]},
			"error": concat("", ["unknown: [\"/configs\"] is not ", request.kinds.pointers.words]),
		},
		"unknown field": {"fields": {"x": 1}, "fits": false},
		"unknown operation": {"fields": {"operation": "x"}, "fits": false},
		"request, wrong kind": {"fields": {"request": {"configs": []}}, "fits": false},
		"request, wrong inside": {"fields": {"request": {"configs": {"a": 1}}}, "fits": false},
		"request, unknown field": {"fields": {"request": {"x": 1}}, "fits": false},
	}
	document := fixtures.document(tc.fields)
	fitting := {true | request.is_well_formed(document, document)}
	fitting == {true | tc.fits}
}
