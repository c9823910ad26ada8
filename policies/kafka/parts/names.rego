package kafka.parts

import data.kafka.request
import data.kafka.rules.naming
import data.kafka.verdict

# METADATA
# title: Many names
# description: |
#   AuditTopicName about the names of many of a cluster's topics at once. No name repeats, so a scan asks about every one, and
#   nearly all are clean: only one that a rule has something against, or that cannot be judged so, gets a decision, as
#   kafka/decisions gives it. The others are allowed and break nothing; `judged` counts both kinds, `revision` is that of the bundle.
# entrypoint: true
names := {
	"judged": count(object.keys(input.topics) - asked) + count(decisions),
	"decisions": decisions,
	"revision": verdict.revision,
} if {
	is_object(input.topics)
	asked := _found | _unlike
	decisions := {topic: _decision(topic) | some topic in asked}
}

_found := {topic |
	bases := _bases
	some topic, hidden in input.topics
	base := bases[hidden]
	found := naming.deny with input as object.union(base, {"topic": topic})
	found != set()
}

# What is no name or no flag; and every topic where what they share cannot be read, or makes each decision say something.
_unlike := {topic |
	flags := object.keys(_bases)
	some topic, hidden in input.topics
	not hidden in flags
} | (object.keys(input.topics) & {""})

# What rules see of an internal topic and of one that is not, but for its name.
_bases[hidden] := verdict.unremarkable(_document("name", hidden)) if {
	_problems == set()
	some hidden in [true, false]
}

_decision(topic) := verdict.decide(document, document) if {
	_problems == set()
	document := _document(topic, input.topics[topic])
} else := verdict.refused(_problems)

_document(topic, hidden) := object.union(
	_common,
	{"operation": "AuditTopicName", "request": {"topic": topic, "internal": hidden}},
)

_common := object.get(input, "common", {})

_problems := request.envelope_errors(_common)
