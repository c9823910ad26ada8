package kafka.operations

# METADATA
# title: Audit a topic
# description: A topic as it stands, decided about as if it were requested today.
AuditTopic := {
	"subject": "audit",
	"types": {"topic": "string"},
	"required": {"topic": "string"},
	"inside": {"topic": "topicName"},
	"families": {
		"cleanup",
		"config_keys",
		"durability",
		"governance",
		"lists",
		"messages",
		"naming",
		"retention",
		"sizing",
		"stored",
		"tiering",
	},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"brokers", "catalog", "clusterSize", "defaults", "managed", "meta", "namesByMetric", "topics"},
	"fields": {"configs": "needed", "reassigning": "counted"},
	"shares": {
		"brokers": {"": {"configs": true, "rack": true}, "*": {"rack": true}},
		"catalog": true,
		"clusterSize": true,
		"defaults": true,
		"managed": true,
		"meta": {"labels": true, "unknown": true},
	},
}

# METADATA
# title: Audit a topic's name
# description: A part of the audit of a topic, its name.
AuditTopicName := {
	"subject": "part",
	"types": {"topic": "string", "internal": "boolean"},
	"required": {"topic": "string", "internal": "boolean"},
	"inside": {"topic": "topicName"},
	"families": {"naming"},
	"freshness": set(),
	"reads": {"meta", "namesByMetric"},
}

# METADATA
# title: Audit a topic's labels
# description: A part of the audit of a topic, its labels; with its name where a rule or a waiver reads that.
AuditTopicLabels := {
	"subject": "part",
	"types": {"labels": "object", "internal": "boolean", "topic": "string"},
	"required": {"labels": "object", "internal": "boolean"},
	"inside": {"topic": "topicName", "labels": "labels"},
	"families": {"governance"},
	"freshness": set(),
	"reads": {"meta"},
}

# METADATA
# title: Audit a topic's configs
# description: |
#   A part of the audit of a topic, its configs (the overrides) and numbers; with its name where a rule or a waiver
#   reads that. `replicationFactor` is counted as kafka/audit_parts/plan says.
AuditTopicConfigs := {
	"subject": "part",
	"types": {
		"numPartitions": "number",
		"replicationFactor": "number",
		"configs": "object",
		"labels": "object",
		"internal": "boolean",
		"topic": "string",
	},
	"required": {
		"numPartitions": "number",
		"replicationFactor": "number",
		"configs": "object",
		"labels": "object",
		"internal": "boolean",
	},
	"inside": {
		"topic": "topicName",
		"numPartitions": "integer",
		"replicationFactor": "integer",
		"configs": "configs",
		"labels": "labels",
	},
	"families": {
		"cleanup",
		"config_keys",
		"durability",
		"lists",
		"messages",
		"retention",
		"sizing",
		"stored",
		"tiering",
	},
	"freshness": set(),
	"reads": {"brokers", "catalog", "clusterSize", "defaults", "managed", "meta"},
}
