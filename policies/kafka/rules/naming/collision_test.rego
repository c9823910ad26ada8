package kafka.rules.naming_test

import data.kafka.rules.naming as family

_beside(operation, name, index) := {
	"operation": operation,
	"cluster": "c",
	"params": {"KFK-NAM-004": {}},
	"topic": name,
	"clusterState": {"namesByMetric": index},
}

_colliding(name, other) := {
	"rule": "KFK-NAM-004",
	"severity": "medium",
	"message": sprintf("topic name \"%s\" collides with \"%s\" in the names of metrics", [name, other]),
	"fix": sprintf("choose a name that differs in more than \".\" and \"_\" from %s", [other]),
	"path": ["topic"],
	"patch": [],
}

test_collision[note] if {
	some note, tc in {
		"underscore for a dot": {"name": "a_b", "index": {"a_b": ["a.b"]}, "others": {"a.b"}},
		"dot for an underscore": {"name": "a.b", "index": {"a_b": ["a_b"]}, "others": {"a_b"}},
		"two others": {"name": "a.b.c", "index": {"a_b_c": ["a_b.c", "a.b.c", "a.b_c"]}, "others": {"a_b.c", "a.b_c"}},
		"only itself": {"name": "a.b", "index": {"a_b": ["a.b"]}, "others": set()},
		"a hyphen is no dot": {"name": "a-b", "index": {"a_b": ["a.b"]}, "others": set()},
		"another name": {"name": "a.c", "index": {"a_b": ["a.b"]}, "others": set()},
		"nothing indexed": {"name": "a.b", "index": {}, "others": set()},
	}
	deny := family.deny with input as _beside("CreateTopic", tc.name, tc.index)
	deny == {_colliding(tc.name, other) | some other in tc.others}
}

# Where the index is not known nothing can be said; Kafka itself has the last word on creations.
test_collision_without_the_index if {
	prepared := object.union(_beside("CreateTopic", "a.b", {}), {"clusterState": {"meta": {}}})
	deny := family.deny with input as object.remove(prepared, ["clusterState"]) with data.clusters as {"c": {"meta": {}}}
	deny == set()
}

test_collision_in_replicated_state if {
	prepared := object.remove(_beside("CreateTopic", "a.b", {}), ["clusterState"])
	deny := family.deny with input as prepared with data.clusters as {"c": {"namesByMetric": {"a_b": ["a_b"]}}}
	deny == {_colliding("a.b", "a_b")}
}

test_collision_without_parameters if {
	deny := family.deny with input as object.union(
		object.remove(_beside("CreateTopic", "a.b", {"a_b": ["a_b"]}), ["params"]),
		{"params": {}},
	)
	deny == set()
}
