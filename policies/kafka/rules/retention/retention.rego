package kafka.rules.retention

import data.kafka.violation

# METADATA
# description: |
#   For how long records are kept, below 0 for ever. What is only compacted is kept by key, and its tombstones end it.
_retention_in_force := input.effective.values["retention.ms"] if "delete" in input.effective.values["cleanup.policy"]

_retention_in_force := -1 if input.effective.values["cleanup.policy"] == []

# What is not known may be for ever.
_longest_retention := _retention_in_force

_longest_retention := -1 if {
	not _retention_in_force
	"delete" in object.get(input.effective.values, "cleanup.policy", ["delete"])
}

_is_longer(actual, _) if actual < 0

_is_longer(actual, limit) if actual > limit

_duration_text(actual) := "for ever" if actual < 0

_duration_text(actual) := $"{actual} ms" if actual >= 0

_ceiling_patch(limit) := array.concat(
	violation.addition("retention.ms", json.marshal(limit)),
	_choose_by_policy([], violation.addition("cleanup.policy", "delete")),
)

# With an empty policy retention.ms bounds nothing.
_choose_by_policy(bound, empty) := empty if {
	object.get(input.effective.values, "cleanup.policy", []) == []
} else := bound
