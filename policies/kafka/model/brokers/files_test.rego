package kafka.model.brokers_test

import data.kafka.base.releases
import data.kafka.model.brokers

# Files that Kafka takes, by the roles of the node.
_node := {
	"process.roles": "broker",
	"node.id": "1",
	"controller.listener.names": "CONTROLLER",
	"controller.quorum.bootstrap.servers": "c:9093",
}

_controller := {
	"process.roles": "controller",
	"node.id": "1",
	"controller.listener.names": "CONTROLLER",
	"controller.quorum.voters": "1@c:9093,2@d:9093",
	"listeners": "CONTROLLER://:9093",
}

_combined := object.union(_controller, {
	"process.roles": "broker,controller",
	"listeners": "PLAINTEXT://h:9092,CONTROLLER://:9093",
})

_start_refusals(file, changed) := {refusal.message |
	some refusal in brokers.refusals({
		"operation": "StartBroker",
		"cluster": "c",
		"request": {"broker": "1", "configs": object.union(file, changed)},
		"clusterState": {},
	})
}

_required(problem) := $"requirement failed: {problem}"

test_started[note] if {
	some note, tc in {
		"a broker": [_node, {}],
		"a controller": [_controller, {}],
		"both": [_combined, {}],
		"by the old name of its id": [object.remove(_node, ["node.id"]), {"broker.id": "1"}],
		"what brokers have at runtime only": [_node, {"leader.replication.throttled.rate": "x"}],
		"a word in another case": [_node, {"group.consumer.migration.policy": "Upgrade"}],
		"a controller's listener in another case": [_node, {
			"controller.listener.names": "controller",
			"listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,controller:SSL",
		}],
		"limits that are none": [_node, {"connections.max.idle.ms": "-1", "queued.max.request.bytes": "-1"}],
		"SASL": [_node, {
			"listeners": "SASL_SSL://h:1",
			"security.inter.broker.protocol": "SASL_SSL",
			"listener.security.protocol.map": "SASL_SSL:SASL_SSL,CONTROLLER:SSL",
		}],
		"a listener that starts early": [_node, {"early.start.listeners": "PLAINTEXT"}],
	}
	_start_refusals(tc[0], tc[1]) == set()
}

test_left_out[name] if {
	some name in ["process.roles", "node.id", "controller.listener.names"]
	refused := _start_refusals(object.remove(_node, [name]), {})
	refused == {$"Missing required configuration \"{name}\" which has no default value."}
}

# What a config provider fills in is neither left out nor wrong, and the file is not looked at as a whole.
test_not_known_yet[note] if {
	some note, tc in {
		"its id": {"name": "node.id", "sets": {}, "refused": set()},
		"its listeners": {"name": "listeners", "sets": {"advertised.listeners": "X://h:1"}, "refused": set()},
		"another value": {
			"name": "node.id",
			"sets": {"num.partitions": "x"},
			"refused": {"Invalid value x for configuration num.partitions: Not a number of type INT"},
		},
	}
	tc.refused == {refusal.message |
		some refusal in brokers.refusals({
			"operation": "StartBroker",
			"cluster": "c",
			"request": {"broker": "1", "configs": object.union(object.remove(_node, [tc.name]), tc.sets)},
			"clusterState": {},
			"unknown": ["/clusterState/brokers", $"/request/configs/{tc.name}"],
		})
	}
}

test_unread[note] if {
	voter := "Each entry should be in the form `{id}@{host}:{port}`."
	server := `Each entry should be in the form "{host}:{port}"`
	some note, tc in {
		"no address": {
			"sets": {"controller.quorum.voters": "1@"},
			"refused": {concat(" ", ["Invalid configuration value for controller.quorum.voters.", voter])},
		},
		"no id": {
			"sets": {"controller.quorum.voters": "x@c:1"},
			"refused": {"Failed to parse voter ID as an integer from x"},
		},
		"no host": {
			"sets": {"controller.quorum.voters": "1@c"},
			"refused": {concat(" ", [
				"Failed to parse host name from entry 1@c for the configuration controller.quorum.voters.",
				voter,
			])},
		},
		"no port": {"sets": {"controller.quorum.voters": "1@c:70000"}, "refused": {"port out of range:70000"}},
		"no number": {
			"sets": {"controller.quorum.bootstrap.servers": "c:99999999999"},
			"refused": {`For input string: "99999999999"`},
		},
		"no server": {
			"sets": {"controller.quorum.bootstrap.servers": "c"},
			"refused": {concat(" ", [
				"Failed to parse host name from c for the configuration",
				concat(" ", ["controller.quorum.bootstrap.servers.", server]),
			])},
		},
		"another word": {
			"sets": {"sasl.oauthbearer.assertion.algorithm": "x"},
			"refused": {concat(" ", [
				"Invalid value x for configuration sasl.oauthbearer.assertion.algorithm: String must be one of",
				"(case insensitive): ES256, RS256",
			])},
		},
	}
	tc.refused == _start_refusals(_node, tc.sets)
}

test_unfit_to_start[note] if {
	some note, tc in {
		"as a whole": {
			"sets": {"log.roll.ms": "0"},
			"refused": {_required("log.roll.ms must be greater than or equal to 1")},
		},
		"minutes": {"sets": {"log.retention.minutes": "0"}, "refused": {_range}},
		"assigned too often": {
			"sets": {"group.share.assignment.interval.ms": "0", "group.share.min.assignment.interval.ms": "1"},
			"refused": {concat(" ", [
				"group.share.assignment.interval.ms must be greater than or equal to",
				"group.share.min.assignment.interval.ms",
			])},
		},
		"as often as it may not": {
			"sets": {"group.share.heartbeat.interval.ms": "15000", "group.share.session.timeout.ms": "45000"},
			"refused": set(),
		},
		"beats too seldom": {
			"sets": {
				"group.share.heartbeat.interval.ms": "45000",
				"group.share.max.heartbeat.interval.ms": "45000",
				"group.share.session.timeout.ms": "45000",
			},
			"refused": {"group.share.heartbeat.interval.ms must be less than group.share.session.timeout.ms"},
		},
		"waits for longer than a socket": {
			"sets": {"replica.fetch.wait.max.ms": "30000", "replica.socket.timeout.ms": "29999"},
			"refused": {_required(concat(" ", [
				"replica.socket.timeout.ms should always be at least replica.fetch.wait.max.ms",
				"to prevent unnecessary socket timeouts",
			]))},
		},
		"two ids": {
			"sets": {"broker.id": "2"},
			"refused": {concat(" ", [
				"`node.id` and `broker.id` must be set to the same value.",
				"`broker.id` is deprecated, please use `node.id` instead.",
			])},
		},
		"a tag twice": {
			"sets": {"group.streams.rack.aware.assignment.tags": "zone, rack ,zone"},
			"refused": {"group.streams.rack.aware.assignment.tags must not contain duplicate tag keys."},
		},
		"a codec": {"sets": {"offsets.topic.compression.codec": "5"}, "refused": {"Unknown compression type id: 5"}},
		"protocols": {
			"sets": {"group.coordinator.rebalance.protocols": "consumer"},
			"refused": {"Disabling the 'classic' protocol is not supported."},
		},
		"assignors": {
			"sets": {"group.share.assignors": "simple,a.B"},
			"refused": {"group.share.assignors must contain exactly one assignor, but found 2"},
		},
		"addresses": {
			"sets": {"max.connections.per.ip.overrides": "a b:1,::1:2"},
			"refused": {"max.connections.per.ip.overrides contains invalid addresses : a b"},
		},
		"connections that are idle": {
			"sets": {"connections.max.idle.ms": "99"},
			"refused": {_required(concat(" ", [
				"connection.failed.authentication.delay.ms=100 should always be less than",
				"connections.max.idle.ms=99 to prevent failed authentication responses from timing out",
			]))},
		},
		"a queue that is too small": {
			"sets": {"queued.max.request.bytes": "1"},
			"refused": {_required("queued.max.request.bytes must be larger or equal to socket.request.max.bytes")},
		},
		"a listener that starts early": {
			"sets": {"early.start.listeners": "plaintext"},
			"refused": {concat(" ", [
				"early.start.listeners contains listener plaintext, but this is not contained in listeners or",
				"controller.listener.names",
			])},
		},
		"directories beside all": {
			"sets": {"cordoned.log.dirs": "*,/a"},
			"refused": {_required("When cordoned.log.dirs is set to *, it must not contain other values")},
		},
		"directories of another": {"sets": {"cordoned.log.dirs": "/a"}, "refused": {$"{_cordoned}/a"}},
	}
	tc.refused == _start_refusals(_node, tc.sets)
}

test_of_a_release_that_has_it_not[name] if {
	some name, value in {"group.share.assignors": "a,b", "group.streams.rack.aware.assignment.tags": "a,a"}
	_start_refusals(_node, {name: value}) != set()
	_start_refusals(_node, {name: value}) == set() with data.catalog.broker as releases.brokers["4.0"]
}
