package kafka.changes_test

import data.kafka.changes

_classes(document) := result if {
	result := changes.classes with input as document
}

_goes(before, after, directions, class) := {"before": before, "after": after, "directions": directions, "class": class}

test_directions[note] if {
	some note, tc in {
		"a number that rises": {"name": "segment.ms", "before": "1", "after": "2", "row": _goes(1, 2, ["rises"], "cost")},
		"a number that falls": {
			"name": "min.insync.replicas",
			"before": "3",
			"after": "2",
			"row": _goes(3, 2, ["falls"], "durability"),
		},
		"a number in another spelling": {"name": "segment.ms", "before": "1", "after": "01", "row": _goes(1, 1, [], "noOp")},
		"to no limit": {"name": "retention.ms", "before": "5", "after": "-1", "row": _goes(5, -1, ["rises"], "cost")},
		"from no limit": {"name": "retention.ms", "before": "-1", "after": "5", "row": _goes(-1, 5, ["falls"], "dataLoss")},
		"to no limit in another spelling": {
			"name": "retention.bytes",
			"before": "-7",
			"after": "9223372036854775807",
			"row": _goes(-1, -1, [], "noOp"),
		},
		"to no limit of what is kept on brokers": {
			"name": "local.retention.bytes",
			"before": "5",
			"after": "-1",
			"row": _goes(5, -1, ["rises"], "cost"),
		},
		"no limit stays": {"name": "retention.ms", "before": "-1", "after": "-1", "row": _goes(-1, -1, [], "noOp")},
		"to -1 where that is a number": {
			"name": "compression.gzip.level",
			"before": "5",
			"after": "-1",
			"row": _goes(5, -1, ["falls"], "cost"),
		},
		"a switch turned on": {
			"name": "unclean.leader.election.enable",
			"before": "false",
			"after": "true",
			"row": _goes(false, true, ["turnsOn"], "durability"),
		},
		"a switch turned off": {
			"name": "unclean.leader.election.enable",
			"before": "true",
			"after": "FALSE",
			"row": _goes(true, false, ["turnsOff"], "compatibility"),
		},
		"a switch left alone": {
			"name": "unclean.leader.election.enable",
			"before": "true",
			"after": "TRUE",
			"row": _goes(true, true, [], "noOp"),
		},
		"a list that gains and loses": {
			"name": "cleanup.policy",
			"before": "delete",
			"after": "compact",
			"row": _goes(["delete"], ["compact"], ["gains compact", "loses delete"], "dataLoss"),
		},
		"a list that loses": {
			"name": "cleanup.policy",
			"before": "compact,delete",
			"after": "compact",
			"row": _goes(["compact", "delete"], ["compact"], ["loses delete"], "cost"),
		},
		"a list in another order": {
			"name": "cleanup.policy",
			"before": "compact,delete",
			"after": "delete,compact",
			"row": _goes(["compact", "delete"], ["delete", "compact"], [], "noOp"),
		},
		"a text": {
			"name": "compression.type",
			"before": "gzip",
			"after": "zstd",
			"row": _goes("gzip", "zstd", ["changes"], "cost"),
		},
		"a text left alone": {
			"name": "compression.type",
			"before": "gzip",
			"after": " gzip",
			"row": _goes("gzip", "gzip", [], "noOp"),
		},
		"a name that the catalogue lacks": {
			"name": "x.vendor",
			"before": "1",
			"after": "2",
			"row": _goes("1", "2", ["changes"], "compatibility"),
		},
	}
	change := {"mode": "incremental", "ops": [{"name": tc.name, "op": "SET", "value": tc.after}]}
	{"classes": {tc.name: tc.row}, "errors": []} == _classes({"before": {tc.name: tc.before}, "change": change})
}

# Whatever form a change has, only what is in force counts.
test_forms[note] if {
	some note, change in {
		"incremental": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "DELETE"}]},
		"full": {"mode": "full", "entries": {}},
		"resolved": {"mode": "resolved", "before": {"retention.ms": "1000"}, "after": {}},
	}
	answer := _classes({"before": {"retention.ms": "1000"}, "change": change, "defaults": {"retention.ms": "10"}})
	answer == {"classes": {"retention.ms": _goes(1000, 10, ["falls"], "dataLoss")}, "errors": []}
}

test_resource_types[type] if {
	some type, tc in {
		"TOPIC": {"name": "retention.ms", "row": _goes(604800000, 1, ["falls"], "dataLoss")},
		"topic": {"name": "retention.ms", "row": _goes(604800000, 1, ["falls"], "dataLoss")},
		"BROKER": {"name": "log.retention.ms", "row": _goes(null, 1, ["changes"], "dataLoss")},
		"GROUP": {"name": "consumer.heartbeat.interval.ms", "row": _goes(5000, 1, ["falls"], "compatibility")},
		"CLIENT_METRICS": {"name": "interval.ms", "row": _goes(300000, 1, ["falls"], "compatibility")},
	}
	change := {"mode": "full", "entries": {tc.name: "1"}}
	{"classes": {tc.name: tc.row}, "errors": []} == _classes({"resourceType": type, "change": change})
}

test_defaults_of_brokers if {
	change := {"mode": "full", "entries": {"log.retention.ms": "1"}}
	answer := _classes({"resourceType": "broker", "change": change, "defaults": {"log.retention.ms": "2"}})
	answer == {"classes": {"log.retention.ms": _goes(2, 1, ["falls"], "dataLoss")}, "errors": []}
}

test_what_cannot_be_read[note] if {
	some note, tc in {
		"no change": {"document": {}, "n": 1},
		"another resource": {"document": {"resourceType": "x", "change": {"mode": "full", "entries": {}}}, "n": 1},
		"a change that Kafka refuses": {
			"document": {"change": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "APPEND", "value": "1"}]}},
			"n": 1,
		},
	}
	answer := _classes(tc.document)
	answer.classes == {}
	tc.n == count(answer.errors)
}

# The catalogue names configs and directions that there are, and classes in their order.
test_catalogue if {
	classes := data.catalog.classes
	every kind in ["topic", "broker"] {
		object.keys(classes[kind]) - object.keys(data.catalog[kind].configs) == set()
	}
	every kind in ["topic", "broker", "fields"] {
		every row in classes[kind] {
			every direction, class in row {
				split(direction, " ")[0] in {"rises", "falls", "turnsOn", "turnsOff", "gains", "loses", "changes"}
				class in classes.order
			}
		}
	}
}

test_classes_without_an_input if {
	changes.classes.classes == {}
	[_] = changes.classes.errors
}
