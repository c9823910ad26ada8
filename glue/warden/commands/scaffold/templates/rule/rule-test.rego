package kafka.rules.@FAMILY@_test

import data.kafka.rules.@FAMILY@ as family

_@NAME@(topic) := {
	"operation": "CreateTopic",
	"params": {"@ID@": {"forbidden": ["test"]}},
	"topic": topic,
}

test_@NAME@[topic] if {
	some topic, broken in {"test": {"@ID@"}, "tests": set()}
	deny := family.deny with input as _@NAME@(topic)
	broken == {violation.rule | some violation in deny; violation.rule == "@ID@"}
}
