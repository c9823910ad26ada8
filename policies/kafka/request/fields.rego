# METADATA
# title: Request shapes
# description: |
#   Which fields a decision input (envelope.rego) and each operation's request have, one row per field. `types` gives
#   its JSON type, `inside` what more it must be (types.rego) and `required` those that must be there.
# scope: subpackages
package kafka.request

# METADATA
# description: |
#   The request of each operation, and the kind of resource that it is about. Numbers of partitions and replicas may be
#   left out: they are -1 then, as in Kafka's protocol (the broker's default). Of a topic that is to be changed any text
#   is a name, as Kafka has it refused in its own words; none is there to be audited.
operations := {
	"CreateTopic": {
		"subject": "topic", "required": {"topic"},
		"types": {
			"topic": "string",
			"numPartitions": "number",
			"replicationFactor": "number",
			"replicasAssignments": "object",
			"configs": "object",
			"labels": "object",
		},
		"inside": {
			"numPartitions": "integer",
			"replicationFactor": "integer",
			"replicasAssignments": "assignments",
			"configs": "configs",
			"labels": "labels",
		},
	},
	"AlterTopic": {
		"subject": "topic", "required": {"topic"},
		"types": {
			"topic": "string",
			"configs": "object",
			"numPartitions": "number",
			"newAssignments": "array",
			"reassignments": "object",
		},
		"inside": {
			"configs": "change",
			"numPartitions": "integer",
			"newAssignments": "replicaLists",
			"reassignments": "reassignments",
		},
	},
	"AuditTopic": {"subject": "audit", "required": {"topic"}, "types": {"topic": "string"}, "inside": {"topic": "name"}},
	"AuditTopicName": {
		"subject": "part", "required": {"topic", "internal"},
		"types": {"topic": "string", "internal": "boolean"},
		"inside": {"topic": "name"},
	},
	"AuditTopicLabels": {
		"subject": "part", "required": {"labels", "internal"},
		"types": {"labels": "object", "internal": "boolean", "topic": "string"},
		"inside": {"topic": "name", "labels": "labels"},
	},
	"AuditTopicConfigs": {
		"subject": "part", "required": {"numPartitions", "replicationFactor", "configs", "labels", "internal"},
		"types": {
			"numPartitions": "number",
			"replicationFactor": "number",
			"configs": "object",
			"labels": "object",
			"internal": "boolean",
			"topic": "string",
		},
		"inside": {
			"topic": "name",
			"numPartitions": "integer",
			"replicationFactor": "integer",
			"configs": "configs",
			"labels": "labels",
		},
	},
	"DeleteTopic": {
		"subject": "topic", "required": {"topic"},
		"types": {"topic": "string", "topicsInRequest": "number"},
		"inside": {"topicsInRequest": "integer"},
	},
	"DeleteRecords": {
		"subject": "topic", "required": {"topic", "deletedMessageOffsets"},
		"types": {"topic": "string", "deletedMessageOffsets": "object"},
		"inside": {"deletedMessageOffsets": "offsets"},
	},
	"AlterBroker": {
		"subject": "broker", "required": {"broker", "configs"},
		"types": {"broker": "string", "configs": "object"},
		"inside": {"configs": "change"},
	},
	"StartBroker": {
		"subject": "broker", "required": {"broker", "configs"},
		"types": {"broker": "string", "configs": "object"},
		"inside": {"configs": "configs"},
	},
	"AuditBroker": {"subject": "broker", "required": {"broker"}, "types": {"broker": "string"}, "inside": {}},
	"AlterConfig": {
		"subject": "resource", "required": {"resource", "configs"},
		"types": {"resource": "object", "configs": "object"},
		"inside": {"resource": "resource", "configs": "change"},
	},
	"CreateAcl": {"subject": "acl", "required": {"acl"}, "types": {"acl": "object"}, "inside": {"acl": "acl"}},
	"DeleteAcl": {"subject": "acl", "required": {"acl"}, "types": {"acl": "object"}, "inside": {"acl": "aclFilter"}},
	"AuditAcl": {"subject": "acl", "required": {"acl"}, "types": {"acl": "object"}, "inside": {"acl": "acl"}},
	"AlterQuota": {
		"subject": "quota", "required": {"entity", "ops"},
		"types": {"entity": "object", "ops": "array"},
		"inside": {"entity": "quotaEntity", "ops": "quotaOps"},
	},
	"DescribeClientConfigs": {
		"subject": "client", "required": {"components"},
		"nullable": {"supportedConfigs"},
		"types": {
			"components": "array",
			"supportedConfigs": "array",
			"resolveEntity": "boolean",
			"strict": "boolean",
			"softwareName": "string",
			"softwareVersion": "string",
		},
		"inside": {"components": "clientComponents", "supportedConfigs": "strings"},
	},
	"AlterClientConfigs": {
		"subject": "client", "required": {"entity", "ops"},
		"types": {"entity": "object", "ops": "array"},
		"inside": {"entity": "clientEntity", "ops": "clientOps"},
	},
	"AuditClientConfigs": {
		"subject": "client", "required": {"entity"},
		"types": {"entity": "object"},
		"inside": {"entity": "clientEntity"},
	},
	"AlterScram": {
		"subject": "scram", "required": {"user", "mechanism"},
		"types": {"user": "string", "mechanism": "string", "iterations": "number", "remove": "boolean"},
		"inside": {"user": "user", "mechanism": "mechanism", "iterations": "integer"},
	},
}
