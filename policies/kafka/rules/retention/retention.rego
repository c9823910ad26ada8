package kafka.rules.retention

# METADATA
# description: |
#   For how long records are kept, -1 for ever. What is only compacted is kept by key, and its tombstones end it.
_retention_period(values) := object.get(values, "retention.ms", -1) if "delete" in values["cleanup.policy"]

_retention_period(values) := -1 if object.get(values, "cleanup.policy", []) == []

_is_longer(-1, _) := true

_is_longer(actual, limit) if actual > limit

_duration_text(-1) := "for ever"

_duration_text(actual) := $"{actual} ms" if actual != -1

_ceiling_patch(limit) := array.concat(
	[{"op": "add", "path": "/configs/retention.ms", "value": json.marshal(limit)}],
	[{"op": "add", "path": "/configs/cleanup.policy", "value": "delete"} |
		object.get(input.effective.values, "cleanup.policy", []) == []
	],
)
