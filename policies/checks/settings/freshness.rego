package checks.settings

# METADATA
# description: |
#   The schema of what settings say of the age of a cluster's state, for each
#   operation how old it may be and what is done then.
_freshness := object.union(_overlaid_freshness, {
	"required": ["default"],
	"properties": {"default": {"required": ["maxAgeSeconds", "then"]}},
}) if {
	input.complete
} else := _overlaid_freshness

_overlaid_freshness := {
	"type": "object",
	"additionalProperties": false,
	"properties": {
		"default": _limit({"deny", "warn", "ignore"}),
		"operations": {
			"type": "object",
			"additionalProperties": false,
			"properties": {operation: _limit(_courses(operation)) | some operation in _aged},
		},
	},
}

_limit(courses) := {
	"type": "object",
	"additionalProperties": false,
	"properties": {
		"maxAgeSeconds": {"type": "number", "minimum": 0},
		"then": {"enum": sort(courses)},
	},
}

# Without the state only a request can be decided that is whole by itself: all others change, or judge, what is there.
_courses(operation) := {"deny", "warn", "ignore"} | {"request" | operation in _whole}

_whole := {"CreateTopic", "StartBroker", "CreateAcl", "DeleteAcl", "AlterScram"}

_aged := {
	"AlterBroker", "AlterClientConfigs", "AlterConfig", "AlterQuota", "AlterScram", "AlterTopic",
	"AuditAcl", "AuditBroker", "AuditClientConfigs", "AuditTopic",
	"CreateAcl", "CreateTopic", "DeleteAcl", "DeleteRecords", "DeleteTopic", "DescribeClientConfigs",
	"StartBroker",
}

# Settings that say nothing ask for nothing. Parts of an audit carry what they are about, so that nothing of
# them is old.
_unasked := {
	"default": {"maxAgeSeconds": 0, "then": "ignore"},
	"operations": {part: {"then": "ignore"} | some part in ["AuditTopicConfigs", "AuditTopicLabels", "AuditTopicName"]},
}

# The least age that is allowed anywhere: what is no older is fresh, whatever is asked.
_freshest(settings) := min({age |
	walk(settings, [path, age])
	"freshness" in path
	path[count(path) - 1] == "maxAgeSeconds"
}) if {
	settings.freshness
} else := 0
