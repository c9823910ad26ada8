# METADATA
# title: Cleanup
# description: What becomes of old records, deleted by age and size or compacted by key.
package kafka.rules.cleanup

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
#   message: cleanup.policy "{actual}" {problem}
#   fix: set cleanup.policy to {choice}
deny contains violation.new(rego.metadata.rule(), args, ["configs", "cleanup.policy"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-CMP-001"]
	policy := object.get(input.effective.values, "cleanup.policy", [])
	not concat(",", sort(policy)) in params.allowed
	args := {
		"actual": concat(",", policy),
		"problem": _policy_problem(policy),
		"choice": concat(" or ", params.allowed),
	}
	patch := _once(policy, params.allowed)
}

_policy_problem([]) := "is empty: records are kept for ever"

_policy_problem(policy) := "names a policy twice" if {
	count({name | some name in policy}) < count(policy)
} else := "is not allowed" if {
	policy != []
}

# What is named twice can be named once; which policy is meant otherwise is not ours to say.
_once(policy, allowed) := [{"op": "add", "path": "/configs/cleanup.policy", "value": once} |
	once := concat(",", sort({name | some name in policy}))
	once in allowed
]
