package kafka.parts

import data.kafka.request
import data.kafka.rules.naming
import data.kafka.verdict

# METADATA
# title: Many names
# description: |
#   AuditTopicName about the names of many of a cluster's topics at once. No name repeats, so a scan asks about every
#   one, and nearly all are clean: only one that a rule has something against, or that cannot be judged so, gets a
#   decision, as kafka/decisions gives it. The others are allowed and break nothing; `judged` counts both kinds,
#   `revision` is that of the bundle. What a rule has something against it says of all at once (`suspects`), in the
#   words of its `deny`: a function for both would cost every decision about one topic some 20 allocations a rule.
# entrypoint: true
names := {
	"judged": count(object.keys(input.topics) - asked) + count(decisions),
	"decisions": decisions,
	"revision": verdict.revision,
} if {
	is_object(input.topics)
	asked := _suspects | _unlike
	decisions := object.union(
		{topic: verdict.decided(_against(topic), _document(topic)) | some topic in _suspects},
		{topic: _decision(topic) | some topic in _unlike},
	)
}

_suspects := union({found | some found in _suspected})

_suspected[hidden] := found if {
	some hidden, base in _bases
	found := naming.suspects with input as object.union(base, {"topics": _topics[hidden]})
}

_topics[hidden] := {topic | some topic, flag in input.topics; flag == hidden; topic != ""} if {
	some hidden in [true, false]
}

# What is no name or no flag; and every topic where what they share cannot be read or makes each decision say something.
_unlike := object.keys(input.topics) - union({_topics[hidden] | some hidden, _ in _bases})

# What rules see of an internal topic and of one that is not, but for its name.
_bases[hidden] := verdict.unremarkable(_asking("name", hidden)) if {
	_problems == set()
	some hidden in [true, false]
}

_against(topic) := found if {
	found := naming.deny with input as object.union(_bases[input.topics[topic]], {"topic": topic})
}

_decision(topic) := verdict.decide(_document(topic), _document(topic)) if {
	_problems == set()
} else := verdict.refused(_problems)

_document(topic) := _asking(topic, input.topics[topic])

_asking(topic, hidden) := object.union(
	_common,
	{"operation": "AuditTopicName", "request": {"topic": topic, "internal": hidden}},
)

_common := object.get(input, "common", {})

_problems := request.envelope_errors(_common)
