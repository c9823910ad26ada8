package checks.settings

import data.kafka.operations

# METADATA
# description: |
#   The schema of what settings say of the age of a cluster's state, for each
#   operation how old it may be, how far ahead of
#   OPA's clock, and what is done otherwise; and what is done where the state lacks what its source may not see.
_freshness_schema := object.union(_overlaid_freshness_schema, {
	"required": ["default"],
	"properties": {"default": {"required": ["maxAgeSeconds", "maxAheadSeconds", "then", "whenUnknown"]}},
}) if {
	input.complete
} else := _overlaid_freshness_schema

_overlaid_freshness_schema := {
	"type": "object",
	"additionalProperties": false,
	"properties": {
		"default": _limits_schema({"deny", "warn", "ignore"}),
		"operations": {
			"type": "object",
			"additionalProperties": false,
			"properties": {operation: _limits_schema(row.freshness) | some operation, row in operations; row.freshness != set()},
		},
	},
}

_limits_schema(actions) := {
	"type": "object",
	"additionalProperties": false,
	"properties": {
		"maxAgeSeconds": {"type": "number", "minimum": 0},
		"maxAheadSeconds": {"type": "number", "minimum": 0},
		"then": {"enum": sort(actions)},
		"whenUnknown": {"enum": ["deny", "ignore", "warn"]},
	},
}

# Settings that say nothing ask for nothing of a state's age, and for all that a decision needs. Parts of an audit carry
# what they are about, so that nothing of them is old.
_unlimited_freshness := {
	"default": {"maxAgeSeconds": 0, "maxAheadSeconds": 0, "then": "ignore", "whenUnknown": "deny"},
	"operations": {part: {"then": "ignore"} | some part, row in operations; row.freshness == set()},
}

# The least of a limit anywhere: what is within it is fresh for every operation.
_least_limit(settings, limit) := min(seconds) if {
	seconds := {value |
		walk(settings, [path, value])
		"freshness" in path
		path[count(path) - 1] == limit
	}
	seconds != set()
} else := 0
