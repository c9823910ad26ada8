package kafka.rules.durability

import data.kafka.base.globs
import data.kafka.violation

# METADATA
# title: No replica that is behind is elected leader
# description: |
#   An unclean election makes a replica leader that lacks records which were acknowledged; they are gone from all
#   replicas then. It is the last resort where every replica in sync is lost.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-460%3A+Admin+Leader+Election+RPC
# custom:
#   id: KFK-DUR-009
#   severity: critical
#   controls: [SOC2 PI1.5]
#   operations: [ElectLeaders]
#   reversible: false
#   params:
#     topics:
#       type: array
#       items: {type: string, format: glob}
#       description: "Names of topics whose records may be lost; * matches any characters."
#   messages:
#     all: an unclean election of every partition may discard records that were acknowledged
#     topic: an unclean election of topic "{topic}" may discard records that were acknowledged
#   fix: bring a replica back that is in sync, or have those who run the cluster allow it for the topic
deny contains violation.new(rego.metadata.rule(), problem.args, problem.path, []) if {
	input.operation == "ElectLeaders"
	params := input.params["KFK-DUR-009"]
	input.request.electionType != "PREFERRED"
	some problem in _election_problems(object.get(input.request, "topicPartitions", null), params.topics)
}

# None that are named are all that there are.
_election_problems(null, patterns) := {{"args": {"case": "all"}, "path": ["electionType"]} | not "*" in patterns}

_election_problems(elected, patterns) := {{"args": args, "path": ["topicPartitions", i, "topic"]} |
	some i, one in elected
	not globs.has_match(patterns, one.topic)
	args := {"case": "topic", "topic": one.topic}
} if {
	elected != null
}
