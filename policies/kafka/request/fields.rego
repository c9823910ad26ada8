# METADATA
# title: Request shapes
# description: Which fields a decision input and each operation's request have, and of which type. One row per field.
# scope: subpackages
package kafka.request

# METADATA
# description: Fields of every decision input.
envelope := {
	"operation": "string",
	"cluster": "string",
	"principal": "principal",
	"point": "string",
	"validateOnly": "boolean",
	"now": "time",
	"request": "object",
	"clusterState": "object",
}

# METADATA
# description: Fields without which there is nothing to decide.
required := {"operation", "cluster", "request"}

# METADATA
# description: |
#   The operations, each with the fields of its request and, among them, those that must be there.
#   Numbers of partitions and replicas may be left out: they are -1 then, as in Kafka's protocol (the broker's default).
operations := {
	"CreateTopic": {
		"required": {"topic"},
		"fields": {
			"topic": "string",
			"numPartitions": "integer",
			"replicationFactor": "integer",
			"replicasAssignments": "assignments",
			"configs": "configs",
			"labels": "labels",
		},
	},
	"AlterTopic": {
		"required": {"topic"},
		"fields": {
			"topic": "string",
			"configs": "change",
			"numPartitions": "integer",
			"newAssignments": "replicaLists",
			"reassignments": "reassignments",
		},
	},
	"AuditTopic": {"required": {"topic"}, "fields": {"topic": "string"}},
}
