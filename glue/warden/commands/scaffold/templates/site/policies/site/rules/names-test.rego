package site.rules.names_test

import data.site.rules.names

test_names[topic] if {
	some topic, broken in {"test": 1, "tests": 0}
	deny := names.deny with input as {"operation": "CreateTopic", "topic": topic}
	broken == count(deny)
}
