package kafka.model.topics_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.topics

_bad_name(message) := {_error(17, "INVALID_TOPIC_EXCEPTION", message)}

_unlike(name) := _bad_name(concat("", [
	$"Topic name is invalid: '{name}' contains one or more characters other than ASCII alphanumerics, ",
	"'.', '_' and '-'",
]))

_long_name(n) := concat("", ["x" | some _ in numbers.range(1, n)])

test_illegal_name[note] if {
	some note, tc in {
		"letters": {"name": "aZ09._-", "refused": set()},
		"three dots": {"name": "...", "refused": set()},
		"a dot": {"name": ".", "refused": _bad_name("Topic name is invalid: '.' is not allowed")},
		"two dots": {"name": "..", "refused": _bad_name("Topic name is invalid: '..' is not allowed")},
		"nothing": {"name": "", "refused": _bad_name("Topic name is invalid: the empty string is not allowed")},
		"a space": {"name": "a b", "refused": _unlike("a b")},
		"a space at its end": {"name": "a ", "refused": _unlike("a ")},
		"a line's end": {"name": "a\n", "refused": _unlike("a\n")},
		"a letter that is no ASCII": {"name": "é", "refused": _unlike("é")},
		"as long as can be": {"name": _long_name(249), "refused": set()},
		"one longer": {
			"name": _long_name(250),
			"refused": _bad_name(concat("", [
				$"Topic name is invalid: the length of '{_long_name(250)}' is longer than the max allowed length ",
				"249",
			])),
		},
	}
	tc.refused == topics.illegal_name(tc.name)
}

test_new_name[note] if {
	names := {"shop_orders": ["shop.orders"], "a_b_c": ["a_b.c", "a.b_c"]}
	some note, tc in {
		"new": {"name": "shop.baskets", "refused": set()},
		"illegal": {"name": "a b", "refused": _unlike("a b")},
		"the same in metrics": {
			"name": "shop_orders",
			"refused": _bad_name("Topic 'shop_orders' collides with existing topic: shop.orders"),
		},
		"it exists": {"name": "shop.orders", "refused": set()},
		"the same as several": {
			"name": "a.b.c",
			"refused": _bad_name("Topic 'a.b.c' collides with existing topic: a.b_c"),
		},
		"one of several": {"name": "a_b.c", "refused": set()},
		"Kafka's metadata": {
			"name": "__cluster_metadata",
			"refused": {_error(42, "INVALID_REQUEST", "Creation of internal topic __cluster_metadata is prohibited.")},
		},
		"another that is internal": {"name": "__consumer_offsets", "refused": set()},
	}
	tc.refused == topics.new_name({
		"cluster": "c",
		"request": {"topic": tc.name},
		"clusterState": {"namesByMetric": names},
	})
}

test_new_name_where_names_are_not_known if {
	topics.new_name({"cluster": "c", "request": {"topic": "shop_orders"}, "clusterState": {}}) == set()
}

# The name is refused with all else that is wrong, and it is what Kafka answers.
test_name_of_a_creation if {
	document := _create({"topic": "a b", "numPartitions": 0})
	topics.refusals("CreateTopic", document) == _unlike("a b") | {_bad_partitions}
	decision := fixtures.decide(document, {})
	decision.error.name == "INVALID_TOPIC_EXCEPTION"
	{"KFK-NAM-003", "KFK-SIZ-001"} - {violation.rule | some violation in decision.violations} == set()
}

# What Kafka answers where a topic has no name: the rules are not evaluated.
test_no_name[operation] if {
	unnamed := [3, "UNKNOWN_TOPIC_OR_PARTITION", "Topic '' does not exist in cluster 'prod-eu'."]
	not_hosted := [3, "UNKNOWN_TOPIC_OR_PARTITION", "This server does not host this topic-partition."]
	empty := [17, "INVALID_TOPIC_EXCEPTION", "Topic name is invalid: the empty string is not allowed"]
	some operation, tc in {
		"CreateTopic": {"fields": {"numPartitions": 600}, "error": empty},
		"AlterTopic": {"fields": {"numPartitions": 600}, "error": unnamed},
		"DeleteTopic": {"fields": {}, "error": not_hosted},
		"DeleteRecords": {"fields": {"deletedMessageOffsets": {"0": 1}}, "error": not_hosted},
	}
	request := object.union(tc.fields, {"topic": ""})
	decision := fixtures.decide(fixtures.document({"operation": operation, "request": request}), {})
	error := {"code": tc.error[0], "name": tc.error[1], "message": tc.error[2]}
	decision == object.union(fixtures.allowed, {"allowed": false, "errors": [error.message], "error": error})
}
