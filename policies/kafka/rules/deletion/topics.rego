# METADATA
# title: Deletion
# description: What cannot be undone - deleted topics and records.
package kafka.rules.deletion

import data.kafka.base.globs
import data.kafka.violation

# METADATA
# title: Only topics that may be deleted are
# description: |
#   Kafka deletes a topic at once, with its records, its configs and the offsets of its groups; there is no undo.
# related_resources:
#   - https://kafka.apache.org/documentation/#brokerconfigs_delete.topic.enable
# custom:
#   id: KFK-DEL-001
#   severity: critical
#   controls: [ISO27001 A.5.33]
#   operations: [DeleteTopic]
#   reversible: false
#   params:
#     allowPatterns:
#       type: array
#       items: {type: string, format: glob}
#       description: "Names of topics that may be deleted; * matches any characters."
#     denyPatterns:
#       type: array
#       items: {type: string, format: glob}
#       description: "Names of topics that may not, whatever is allowed; * matches any characters."
#   messages:
#     unlisted: topic "{topic}" may not be deleted, no pattern allows it
#     forbidden: topic "{topic}" may not be deleted, "{pattern}" forbids it
#   fix: have those who run the cluster allow names like it, or give it a waiver
deny contains violation.new(rego.metadata.rule(), args, ["topic"], []) if {
	input.operation == "DeleteTopic"
	params := input.params["KFK-DEL-001"]
	forbidding := globs.matches(params.denyPatterns, input.topic)
	why := _denial_args(forbidding, globs.matches(params.allowPatterns, input.topic))
	args := object.union(why, {"topic": input.topic})
}

_denial_args([], []) := {"case": "unlisted"}

# Undefined where none forbids it.
_denial_args(denied, _) := {"case": "forbidden", "pattern": denied[0]}
