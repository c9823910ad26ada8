# METADATA
# title: Cleanup
# description: What becomes of old records, deleted by age and size or compacted by key.
package kafka.rules.cleanup

import data.kafka.lists
import data.kafka.violation

# METADATA
# title: cleanup.policy is one of those allowed
# description: |
#   An empty one keeps records for ever, and one named twice could keep a broker from starting; Kafka accepts both.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_cleanup.policy
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-1161
# custom:
#   id: KFK-CMP-001
#   severity: high
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     allowed:
#       type: array
#       minItems: 1
#       items: {enum: [compact, delete, "compact,delete"]}
#       description: The policies that a topic may have.
#   messages:
#     empty: "cleanup.policy \"{actual}\" is empty: records are kept for ever"
#     twice: cleanup.policy "{actual}" names a policy twice
#     other: cleanup.policy "{actual}" is not allowed
#   fix: set cleanup.policy to {choice}
deny contains violation.new(rego.metadata.rule(), args, ["configs", "cleanup.policy"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-CMP-001"]
	policy := object.get(input.effective.values, "cleanup.policy", [])
	not concat(",", sort(policy)) in params.allowed
	args := {
		"case": _policy_case(policy),
		"actual": concat(",", policy),
		"choice": concat(" or ", params.allowed),
	}
	patch := _patch_without_duplicates(policy, params.allowed)
}

_policy_case([]) := "empty"

_policy_case(policy) := "twice" if {
	count({name | some name in policy}) < count(policy)
} else := "other" if {
	policy != []
}

# What is named twice can be named once, in the same order, as KFK-LST-003 has it; which policy is meant otherwise is
# not ours to say.
_patch_without_duplicates(policy, allowed) := violation.addition("cleanup.policy", concat(",", once)) if {
	once := lists.distinct(policy)
	concat(",", sort(once)) in allowed
} else := []
