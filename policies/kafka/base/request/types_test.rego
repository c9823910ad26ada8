package kafka.base.request_test

import data.kafka.base.request
import data.kafka.fixtures_test as fixtures
import data.kafka.operations

_op(fields) := {"mode": "incremental", "ops": [fields]}

# Values of each type, and their near misses.
_values := {
	"string": {
		"is": ["a", ""],
		"is not": [null, 1, true, [], {}, ["a"]],
	},
	"name": {
		"is": ["a", " "],
		"is not": ["", null, 1, true, [], {}, ["a"]],
	},
	"topicName": {
		"is": ["a", " "],
		"is not": ["", null, 1, true, [], {}, ["a"]],
	},
	"boolean": {
		"is": [true, false],
		"is not": ["true", 0, 1, null, [], {}],
	},
	"integer": {
		"is": [0, 1, -1, 3.0, 9223372036854775807],
		"is not": [1.5, "1", null, true, [], {}],
	},
	"object": {
		"is": [{}, {"a": 1}],
		"is not": [[], "{}", null, 1, false],
	},
	"time": {
		"is": ["2026-11-21T10:00:00Z", "2026-11-21T10:00:00.5+01:00"],
		"is not": ["2026-11-21", "2026-11-21 10:00:00", "now", "", 1795255200, null, {}],
	},
	"principal": {
		"is": [{"type": "User", "name": "alice"}, {"type": "", "name": "", "host": "10.0.0.1"}],
		"is not": [
			{"type": "User"},
			{"name": "alice"},
			{"type": "User", "name": null},
			{"type": 1, "name": "a"},
			{"type": "User", "name": "a", "host": null},
			{"type": "User", "name": "a", "port": "1"},
			{"type": "User", "host": "a"},
			"alice",
			[],
			null,
			{},
		],
	},
	"amounts": {
		"is": [{}, {"/totals/replicas": 0}, {"/totals/byOwner/a": 1.5, "/deletions/lastHour": 2}],
		"is not": [{"/totals/replicas": -1}, {"/totals/replicas": "1"}, {"totals": 1}, {"/": 1}, {"": 1}],
	},
	"pointers": {
		"is": [[], ["/request/configs/retention.ms"], ["/request/configs", "/clusterState/totals"]],
		"is not": [["/request"], ["/request/"], ["/cluster/a"], [1], ["request/topic"], [null]],
	},
	"api": {
		"is": [{"key": "CreateTopics", "version": 7}, {"key": "AlterUserScramCredentials", "version": 0}],
		"is not": [
			{"key": "CreateTopics"},
			{"version": 7},
			{"key": "CreateTopic", "version": 7},
			{"key": "createTopics", "version": 7},
			{"key": "CREATE_TOPICS", "version": 7},
			{"key": "Produce", "version": 7},
			{"key": "", "version": 7},
			{"key": 19, "version": 7},
			{"key": "CreateTopics", "version": "7"},
			{"key": "CreateTopics", "version": -1},
			{"key": "CreateTopics", "version": 1.5},
			{"key": "CreateTopics", "version": null},
			{"key": "CreateTopics", "version": 7, "client": "a"},
			["CreateTopics", 7],
			"CreateTopics",
			{},
			null,
		],
	},
	"configs": {
		"is": [{}, {"a": "1"}, {"a": null}],
		"is not": [{"a": 1}, {"a": true}, {"a": ["1"]}, {"a": {}}, {"a": "1", "b": 2}, [], "a=1", null],
	},
	"labels": {
		"is": [{}, {"owner": "a"}],
		"is not": [{"owner": null}, {"owner": 1}, ["owner"], "owner", null],
	},
	"assignments": {
		"is": [{}, {"0": [1, 2], "1": []}],
		"is not": [
			{"a": [1]},
			{"-1": [1]},
			{"": [1]},
			{"0": 1},
			{"0": null},
			{"0": ["1"]},
			{"0": [1.5]},
			{"0": {}},
			[[1]],
			null,
		],
	},
	"replicaLists": {
		"is": [[], [[1, 2], [2, 3]], [[]]],
		"is not": [[1, 2], [["1"]], [null], [{}], {"0": [1]}, "1,2", null],
	},
	"reassignments": {
		"is": [{}, {"0": [4, 5], "1": null}],
		"is not": [{"0": "4"}, {"a": null}, {"0": [null]}, [[4]], null],
	},
	"offsets": {
		"is": [{}, {"0": 0, "1": -1, "2": 9223372036854775807, "3": -2}],
		"is not": [{"0": 1.5}, {"0": "1"}, {"0": null}, {"a": 1}, [1], null],
	},
	"resource": {
		"is": [
			{"type": "group", "name": "g"},
			{"type": "client-metrics", "name": ""},
			{"type": "broker-logger", "name": "1"},
		],
		"is not": [
			{"type": "topic", "name": "t"},
			{"type": "group"},
			{"type": "group", "name": null},
			{"type": "group", "name": "g", "x": 1},
			{"name": "g"},
			{},
			"group",
			null,
		],
	},
	"acl": {
		"is": [_acl],
		"is not": [
			object.remove(_acl, ["host"]),
			object.union(_acl, {"host": null}),
			object.union(_acl, {"host": 1}),
			object.union(_acl, {"hosts": "*"}),
			{},
			"User:alice",
			null,
		],
	},
	"aclFilter": {
		"is": [_acl, {}, {"host": null}, {"principal": "User:alice"}],
		"is not": [{"hosts": "*"}, {"host": 1}, {"host": ["*"]}, [], null],
	},
	"quotaEntity": {
		"is": [{}, {"user": "alice"}, {"user": null}, {"user": "alice", "clientId": null}, {"ip": "10.0.0.1"}],
		"is not": [{"group": "g"}, {"user": 1}, {"user": ["alice"]}, "user=alice", null],
	},
	"electionType": {
		"is": ["PREFERRED", "UNCLEAN"],
		"is not": ["", "unclean", 1, null, ["UNCLEAN"], {}],
	},
	"offsetPartitions": {
		"is": [[], [{"topic": "a", "partitions": [0, 1]}, {"topic": "b", "partitions": null}]],
		"is not": [
			[{"topic": "a"}],
			[{"topic": "a", "partitions": 0}],
			[{"topic": "a", "partitions": ["0"]}],
			[{"topic": null, "partitions": null}],
			[{"topic": "a", "partitions": null, "x": 1}],
			["a"],
			null,
		],
	},
	"groupOffsets": {
		"is": [[], [{"topic": "a", "partition": 0, "offset": 42}, {"topic": "", "partition": 1, "offset": -1}]],
		"is not": [
			[{"topic": "a", "partition": 0}],
			[{"partition": 0, "offset": 42}],
			[{"topic": "a", "partition": "0", "offset": 42}],
			[{"topic": "a", "partition": 0.5, "offset": 42}],
			[{"topic": "a", "partition": 0, "offset": 0.5}],
			[{"topic": "a", "partition": 0, "offset": null}],
			[{"topic": null, "partition": 0, "offset": 42}],
			[{"topic": "a", "partition": 0, "offset": 42, "x": 1}],
			["a"],
			null,
		],
	},
	"directoryReplicas": {
		"is": [
			[],
			[{"topic": "a", "partitions": [0, 1], "directory": "/a"}, {"topic": "", "partitions": [], "directory": ""}],
		],
		"is not": [
			[{"topic": "a", "partitions": [0]}],
			[{"topic": "a", "partitions": [0], "directory": null}],
			[{"topic": "a", "partitions": ["0"], "directory": "/a"}],
			[{"topic": 1, "partitions": [0], "directory": "/a"}],
			[{"topic": "a", "partitions": [0], "directory": "/a", "x": 1}],
			["a"],
			null,
		],
	},
	"topicPartitions": {
		"is": [[], [{"topic": "a", "partitions": [0, 1]}, {"topic": "", "partitions": []}], null],
		"is not": [
			[{"topic": "a"}],
			[{"partitions": [0]}],
			[{"topic": "a", "partitions": 0}],
			[{"topic": "a", "partitions": {"0": 0}}],
			[{"topic": "a", "partitions": ["0"]}],
			[{"topic": "a", "partitions": [0.5]}],
			[{"topic": null, "partitions": [0]}],
			[{"topic": "a", "partitions": [0], "x": 1}],
			["a"],
			{},
		],
	},
	"featureUpdates": {
		"is": [
			[],
			[{"feature": "metadata.version", "maxVersionLevel": 30, "upgradeType": "UPGRADE"}],
			[{"feature": "", "maxVersionLevel": -1, "upgradeType": "UNSAFE_DOWNGRADE"}],
		],
		"is not": [
			[{"feature": "a", "maxVersionLevel": 1}],
			[{"feature": "a", "maxVersionLevel": 1.5, "upgradeType": "UPGRADE"}],
			[{"feature": "a", "maxVersionLevel": 1, "upgradeType": "DOWNGRADE"}],
			[{"feature": "a", "maxVersionLevel": 1, "upgradeType": 1}],
			[{"feature": null, "maxVersionLevel": 1, "upgradeType": "UPGRADE"}],
			[{"feature": "a", "maxVersionLevel": 1, "upgradeType": "UPGRADE", "x": 1}],
			["a"],
			{},
			null,
		],
	},
	"quotaOps": {
		"is": [
			[],
			[{"key": "producer_byte_rate", "value": 1.5}],
			[{"key": "producer_byte_rate", "remove": true}],
			[{"key": "producer_byte_rate", "value": 0, "remove": false}],
		],
		"is not": [
			[{"key": "producer_byte_rate"}],
			[{"key": "producer_byte_rate", "value": "1"}],
			[{"key": "producer_byte_rate", "value": null}],
			[{"key": "producer_byte_rate", "remove": false}],
			[{"key": "producer_byte_rate", "value": null, "remove": true}],
			[{"key": "producer_byte_rate", "value": 5, "remove": true}],
			[{"key": "producer_byte_rate", "value": 1, "remove": "true"}],
			[{"key": "producer_byte_rate", "value": 1, "op": "SET"}],
			[{"value": 1}],
			[{"key": 1, "value": 1}],
			["producer_byte_rate=1"],
			[null],
			{},
			null,
		],
	},
	"clientEntity": {
		"is": [{"user": "alice"}, {"user": null, "clientId": null}, {}, {"ip": "10.0.0.1"}],
		"is not": [{"user": 1}, {"user": "a", "clientId": ["b"]}, "alice", [], null],
	},
	"clientOps": {
		"is": [
			[],
			[{"key": "acks", "value": "all"}, {"key": "acks", "remove": true}],
			[{"key": "acks", "value": null}, {"key": "acks"}, {"key": "acks", "value": "1", "remove": false}],
		],
		"is not": [
			[{"key": "acks", "value": 1}],
			[{"key": "acks", "remove": "true"}],
			[{"key": null, "value": "1"}],
			[{"name": "acks", "value": "1"}],
			[{"key": "acks", "value": "1", "op": "SET"}],
			[{"value": "1"}],
			["acks=1"],
			[null],
			{},
			null,
		],
	},
	"clientComponents": {
		"is": [
			[],
			[{"entityType": "user", "matchType": "exact", "match": "alice"}],
			[{"entityType": "user", "matchType": 1, "match": null}, {"entityType": "ip", "matchType": "any"}],
		],
		"is not": [
			[{"entityType": "user"}],
			[{"matchType": 0}],
			[{"entityType": null, "matchType": 0}],
			[{"entityType": "user", "matchType": null}],
			[{"entityType": "user", "matchType": true}],
			[{"entityType": "user", "matchType": 0, "match": 1}],
			[{"entityType": "user", "matchType": 0, "name": "alice"}],
			["user"],
			[null],
			{},
			null,
		],
	},
	"strings": {
		"is": [[], ["acks"], null],
		"is not": [[1], [null], "acks", {}],
	},
	"change": {
		"is": [
			{"mode": "incremental", "ops": []},
			_op({"name": "a", "op": "SET", "value": "1"}),
			_op({"name": "a", "op": "SET", "value": null}),
			_op({"name": "a", "op": "DELETE"}),
			_op({"name": "a", "op": "APPEND", "value": "1"}),
			_op({"name": "a", "op": "SUBTRACT", "value": "1"}),
			{"mode": "full", "entries": {}},
			{"mode": "full", "entries": {"a": null, "b": "1"}},
			{"mode": "resolved", "before": {}, "after": {"a": "1"}},
			{"mode": "resolved", "before": {}, "after": {"a": null}},
		],
		"is not": [
			_op({"name": "a", "op": "set", "value": "1"}),
			_op({"name": "a", "op": "REPLACE", "value": "1"}),
			_op({"name": "a", "value": "1"}),
			_op({"op": "SET", "value": "1"}),
			_op({"name": 1, "op": "SET", "value": "1"}),
			_op({"name": "a", "op": "DELETE", "key": "a"}),
			_op({"name": "a", "op": "SET", "value": "1", "values": []}),
			{"mode": "incremental", "ops": {"a": {"name": "a", "op": "DELETE"}}},
			{"mode": "incremental", "ops": [], "entries": {}},
			_op({"name": "a", "op": "SET", "value": 1}),
			_op(null),
			_op("SET a=1"),
			{"mode": "incremental"},
			{"mode": "incremental", "ops": "x"},
			{"mode": "incremental", "ops": null},
			{"mode": "incremental", "entries": {}},
			{"ops": []},
			{"mode": "full"},
			{"mode": "full", "entries": {"a": 1}},
			{"mode": "full", "entries": []},
			{"mode": "full", "entries": {}, "ops": []},
			{"mode": "resolved", "before": {}},
			{"mode": "resolved", "after": {}},
			{"mode": "resolved", "before": {"a": null}, "after": {}},
			{"mode": "Full", "entries": {}},
			{"mode": null},
			{},
			[],
			"retention.ms=1",
			null,
		],
	},
}

# Where a value of each type stands in an input.
_inputs(value) := {
	"string": {"enforcementPoint": value},
	"boolean": {"validateOnly": value},
	"object": {"clusterState": value},
	"time": {"now": value},
	"principal": {"principal": value},
	"pointers": {"unknown": value},
	"amounts": {"pending": value},
	"topicName": {"operation": "AuditTopic", "request": {"topic": value}},
	"name": {"cluster": value},
	"integer": {"request": {"numPartitions": value}},
	"configs": {"request": {"configs": value}},
	"labels": {"request": {"labels": value}},
	"assignments": {"request": {"replicasAssignments": value}},
	"replicaLists": {"operation": "AlterTopic", "request": {"newAssignments": value}},
	"reassignments": {"operation": "AlterTopic", "request": {"reassignments": value}},
	"change": {"operation": "AlterTopic", "request": {"configs": value}},
	"offsets": {"operation": "DeleteRecords", "request": {"deletedMessageOffsets": value}},
}

_acl := {
	"resourceType": "TOPIC",
	"resourceName": "shop.orders",
	"patternType": "LITERAL",
	"principal": "User:alice",
	"host": "*",
	"operation": "READ",
	"permissionType": "ALLOW",
}

# Requests that are about no topic.
_others(value) := {
	"resource": ["AlterConfig", {"resource": value, "configs": {"mode": "full", "entries": {}}}],
	"acl": ["CreateAcl", {"acl": value}],
	"aclFilter": ["DeleteAcl", {"acl": value}],
	"quotaEntity": ["AlterQuota", {"entity": value, "ops": []}],
	"quotaOps": ["AlterQuota", {"entity": {"user": "a"}, "ops": value}],
	"electionType": ["ElectLeaders", {"electionType": value}],
	"topicPartitions": ["ElectLeaders", {"electionType": "UNCLEAN", "topicPartitions": value}],
	"offsetPartitions": ["DeleteGroupOffsets", {"group": "g", "topicPartitions": value}],
	"groupOffsets": ["AlterGroupOffsets", {"group": "g", "offsets": value}],
	"directoryReplicas": ["AlterReplicaLogDirs", {"replicas": value}],
	"featureUpdates": ["UpdateFeatures", {"featureUpdates": value}],
	"clientEntity": ["AuditClientConfigs", {"entity": value}],
	"clientOps": ["AlterClientConfigs", {"entity": {"user": "a"}, "ops": value}],
	"clientComponents": ["DescribeClientConfigs", {"components": value}],
	"strings": ["DescribeClientConfigs", {"components": [], "supportedConfigs": value}],
}

_document(type, value) := fixtures.document(_inputs(value)[type])

_document(type, value) := object.union(
	object.remove(fixtures.document({"operation": operation}), ["request"]),
	{"request": request},
) if {
	[operation, request] := _others(value)[type]
}

# The quick look and the thorough one, which has the words, must agree.
test_is[type] if {
	some type, values in _values
	wrong := [value |
		some value in values.is
		document := _document(type, value)
		[set(), {true}] != [_errors(document), {true | request.is_well_formed(document, document)}]
	]
	wrong == []
}

test_is_not[type] if {
	some type, values in _values
	wrong := [value |
		some value in values["is not"]
		document := _document(type, value)
		[1, set()] != [count(_errors(document)), {true | request.is_well_formed(document, document)}]
	]
	wrong == []
}

_errors(document) := request.errors(document)

_errors(document) := set() if not request.errors(document)

test_every_type_of_the_tables_is_tried if {
	shapes := array.concat([request.envelope], [shape | some shape in operations])
	{type | some shape in shapes; some type in shape.inside} - object.keys(_values) == set()
}

# The JSON Schema of a kind says the same of each value.
test_schemas[type] if {
	some type, values in _values
	wrong := [value |
		some side, matches in {"is": true, "is not": false}
		some value in values[side]
		not _nullable(type, value)
		json.match_schema({"value": value}, {"properties": {"value": request.kinds[type].schema}})[0] != matches
	]
	wrong == []
}

# That a field may also be null is said of the field (`nullable`), not of its kind.
_nullable("strings", null)

_nullable("topicPartitions", null)
