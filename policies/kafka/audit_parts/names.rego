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
	allowed := object.keys(input.topics) - (_candidate_topics | _individually_decided_topics)
	decisions := object.union(
		{topic: engine.decision(_naming_violations(topic), _listed_topic_document(topic)) | some topic in _candidate_topics},
		{topic: _individual_decision(topic) | some topic in _individually_decided_topics},
	)
}

_candidate_topics := union({candidates | some candidates in _candidate_topics_by_internal})

_candidate_topics_by_internal[is_internal] := candidates if {
	some is_internal, base in _rule_input_by_internal
	candidates := naming.candidates with input as object.union(base, {"topics": _topic_names_by_internal[is_internal]})
}

_topic_names_by_internal[is_internal] := {name | some name, flag in input.topics; flag == is_internal; name != ""} if {
	some is_internal in [true, false]
}

# What is neither a name nor a flag; and every topic where what they share cannot be read or adds to each decision.
_individually_decided_topics := object.keys(input.topics) - union({_topic_names_by_internal[is_internal] |
	some is_internal, _ in _rule_input_by_internal
})

# What rules see of an internal topic and of one that is not, but for its name.
_rule_input_by_internal[is_internal] := engine.prechecked_input(_topic_name_document("name", is_internal)) if {
	_common_problems == set()
	some is_internal in [true, false]
}

_naming_violations(topic) := violations if {
	violations := naming.deny with input as object.union(_rule_input_by_internal[input.topics[topic]], {"topic": topic})
}

_individual_decision(topic) := engine.decide(_listed_topic_document(topic), _listed_topic_document(topic)) if {
	_common_problems == set()
} else := engine.invalid_input(_common_problems)

_listed_topic_document(topic) := _topic_name_document(topic, input.topics[topic])

_topic_name_document(topic, is_internal) := object.union(
	_common_and_principal,
	{"operation": "AuditTopicName", "request": {"topic": topic, "internal": is_internal}},
)

_common_and_principal := object.union(engine.anonymous_overlay[object.get(_common, "principal", null) == null], _common)

_common := object.get(input, "common", {})

_common_problems := request.envelope_errors(_common)
