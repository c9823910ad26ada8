package kafka.audit_parts

import data.kafka.base.request
import data.kafka.engine
import data.kafka.rules.naming

# METADATA
# title: Many names
# description: |
#   AuditTopicName about the names of many of a cluster's topics at once. No name repeats, so a scan asks about every
#   one, and nearly all break no rule: only one that a rule has something against, or that cannot be decided so,
#   gets a decision, as kafka/decisions gives it. The others are allowed and break nothing; `allowed` counts them,
#   `evaluated` both kinds, `revision` is that of the bundle. What a rule has something against it says of all at once
#   (`candidates`), in the words of its `deny`: a function for both would cost every decision about one topic some 20
#   allocations a rule.
# entrypoint: true
names := {
	"evaluated": count(allowed) + count(decisions),
	"allowed": count(allowed),
	"decisions": decisions,
	"revision": engine.revision,
} if {
	is_object(input.topics)
	allowed := object.keys(input.topics) - (_candidate_topics | _exceptional_topics)
	decisions := object.union(
		{topic: engine.decision(_naming_violations(topic), _document(topic)) | some topic in _candidate_topics},
		{topic: _exceptional_decision(topic) | some topic in _exceptional_topics},
	)
}

_candidate_topics := union({candidates | some candidates in _candidate_topics_by_flag})

_candidate_topics_by_flag[hidden] := candidates if {
	some hidden, base in _input_by_flag
	candidates := naming.candidates with input as object.union(base, {"topics": _topics_by_flag[hidden]})
}

_topics_by_flag[hidden] := {topic | some topic, flag in input.topics; flag == hidden; topic != ""} if {
	some hidden in [true, false]
}

# What is neither a name nor a flag; and every topic where what they share cannot be read or makes each decision say
# something.
_exceptional_topics := object.keys(input.topics) - union({_topics_by_flag[hidden] | some hidden, _ in _input_by_flag})

# What rules see of an internal topic and of one that is not, but for its name.
_input_by_flag[hidden] := engine.prechecked_input(_name_input("name", hidden)) if {
	_common_problems == set()
	some hidden in [true, false]
}

_naming_violations(topic) := violations if {
	violations := naming.deny with input as object.union(_input_by_flag[input.topics[topic]], {"topic": topic})
}

_exceptional_decision(topic) := engine.decide(_document(topic), _document(topic)) if {
	_common_problems == set()
} else := engine.invalid_input(_common_problems)

_document(topic) := _name_input(topic, input.topics[topic])

_name_input(topic, hidden) := object.union(
	_common,
	{"operation": "AuditTopicName", "request": {"topic": topic, "internal": hidden}},
)

_common := object.union(engine.anonymous_overlay[object.get(_stated_common, "principal", null) == null], _stated_common)

_stated_common := object.get(input, "common", {})

_common_problems := request.envelope_errors(_stated_common)
