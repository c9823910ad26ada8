package kafka.operations

# METADATA
# title: Create a topic
# description: |
#   A topic that is requested. `numPartitions` and `replicationFactor` may be left out: they are -1 then, as in Kafka's
#   protocol (the broker's default). Any text is a name here, as Kafka refuses a bad one in its own words.
CreateTopic := {
	"subject": "topic",
	"types": {
		"topic": "string",
		"numPartitions": "number",
		"replicationFactor": "number",
		"replicasAssignments": "object",
		"configs": "object",
		"labels": "object",
	},
	"required": {"topic": "string"},
	"inside": {
		"numPartitions": "integer",
		"replicationFactor": "integer",
		"replicasAssignments": "assignments",
		"configs": "configs",
		"labels": "labels",
	},
	"families": {
		"cleanup",
		"clients",
		"config_keys",
		"durability",
		"governance",
		"lists",
		"messages",
		"naming",
		"retention",
		"sizing",
		"tiering",
	},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {
		"brokers", "catalog", "clusterSize", "defaults", "labelPatterns", "meta", "namesByMetric", "topics",
		"totals",
	},
}

# METADATA
# title: Alter a topic
# description: |
#   A change of a topic's configs, of the number of its partitions, of where their replicas are, or of its labels. Who
#   only decides, and carries nothing out (ci, service), says how many replicas are wanted and which labels the topic
#   will have; no request of Kafka's does.
AlterTopic := {
	"subject": "topic",
	"types": {
		"topic": "string",
		"configs": "object",
		"numPartitions": "number",
		"replicationFactor": "number",
		"newAssignments": "array",
		"reassignments": "object",
		"allowReplicationFactorChange": "boolean",
		"labels": "object",
	},
	"required": {"topic": "string"},
	"inside": {
		"configs": "change",
		"numPartitions": "integer",
		"replicationFactor": "integer",
		"newAssignments": "replicaLists",
		"reassignments": "reassignments",
		"labels": "labels",
	},
	"unchanged": {"of": {"topic"}, "change": {}},
	"families": {
		"changes",
		"cleanup",
		"clients",
		"config_keys",
		"deletion",
		"durability",
		"lists",
		"messages",
		"retention",
		"sizing",
		"tiering",
	},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"brokers", "catalog", "clusterSize", "defaults", "labelPatterns", "meta", "topics", "totals"},
	"fields": {"configs": "needed", "reassigning": "counted"},
}

# METADATA
# title: Delete a topic
# description: The deletion of a topic with all that is in it.
DeleteTopic := {
	"subject": "topic",
	"types": {"topic": "string", "topicsInRequest": "number"},
	"required": {"topic": "string"},
	"inside": {"topicsInRequest": "integer"},
	"families": {"changes", "clients", "deletion"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"consumers", "deletions", "meta", "topics", "totals", "writes"},
	"fields": {"configs": "needed"},
}

# METADATA
# title: Delete records
# description: The deletion of a topic's records below an offset, partition by partition.
DeleteRecords := {
	"subject": "topic",
	"types": {"topic": "string", "deletedMessageOffsets": "object"},
	"required": {"topic": "string", "deletedMessageOffsets": "object"},
	"inside": {"deletedMessageOffsets": "offsets"},
	"families": {"changes", "cleanup", "clients", "deletion"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"consumers", "meta", "topics"},
	"fields": {"configs": "needed"},
}
