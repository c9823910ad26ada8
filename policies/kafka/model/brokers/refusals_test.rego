package kafka.model.brokers_test

import data.kafka.base.releases
import data.kafka.model.brokers

# A broker and controller in one, as its file and what it has learnt at runtime say; it runs with Kafka's defaults.
_file := {
	"process.roles": "broker,controller",
	"listeners": "PLAINTEXT://h:1,CONTROLLER://h:2",
	"controller.listener.names": "CONTROLLER",
	"listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
	"log.dirs": "/a,/b",
}

_one := {"1": {"configs": _file, "dynamicConfigs": {}}}

_alter_errors(known, broker, change) := {refusal.message |
	some refusal in brokers.refusals({
		"operation": "AlterBroker",
		"cluster": "prod-eu",
		"request": {"broker": broker, "configs": change},
		"clusterState": {"brokers": known},
	})
}

_sets(entries) := _change([{"name": name, "op": "SET", "value": value} | some name, value in entries])

_wrapped(problem) := concat("", [
	"Invalid value org.apache.kafka.common.config.ConfigException: ", problem,
	" for configuration Invalid dynamic configuration",
])

_threads(setting, problem) := _wrapped(concat("", [
	$"Dynamic thread count update validation failed for {setting}, ",
	$"value should {problem}",
]))

_dedupe := "requirement failed: log.cleaner.dedupe.buffer.size must be at least 1MB per cleaner thread."

_local(value, problem) := _wrapped($"Invalid value {value} for configuration log.local.retention.ms: {problem}")

_cordoned := concat(" ", [
	"requirement failed: All entries in cordoned.log.dirs must be present in log.dirs or log.dir.",
	"Missing entries : ",
])

_creating(listeners) := $"Error creating broker listeners from '[{listeners}]': "

_range := "requirement failed: log.retention.ms must be unlimited (-1) or, greater than or equal to 1"

_fixed(listener) := _wrapped(concat("", [
	$"Configs cannot be updated dynamically for existing listener ListenerName({listener}), ",
	"restart broker or create a new listener for update",
]))

# What is set of broker 1, and what it refuses.
test_refused_values[note] if {
	some note, tc in {
		"threads doubled": {"sets": {"num.io.threads": "16"}, "refused": set()},
		"threads more than doubled": {
			"sets": {"num.io.threads": "17"},
			"refused": {_threads("num.io.threads=17", "not be greater than double the current value 8")},
		},
		"threads halved": {"sets": {"num.io.threads": "4"}, "refused": set()},
		"threads less than halved": {
			"sets": {"num.io.threads": "3"},
			"refused": {_threads("num.io.threads=3", "be at least half the current value 8")},
		},
		"a listener's threads": {
			"sets": {"listener.name.plaintext.num.network.threads": "7"},
			"refused": {_threads("num.network.threads=7", "not be greater than double the current value 3")},
		},
		"another listener's threads": {"sets": {"listener.name.other.num.network.threads": "7"}, "refused": set()},
		"cleaners": {
			"sets": {"log.cleaner.threads": "3"},
			"refused": {_wrapped("Log cleaner threads cannot be increased to more than double the current value 1")},
		},
		"no cleaner": {"sets": {"log.cleaner.threads": "0"}, "refused": {"/ by zero"}},
		"a list with duplicates": {
			"sets": {"cordoned.log.dirs": "/a,/a"},
			"refused": {"Configuration 'cordoned.log.dirs' values must not be duplicated."},
		},
		"a small buffer": {"sets": {"log.cleaner.dedupe.buffer.size": "1048576"}, "refused": {_dedupe}},
		"a buffer for two": {
			"sets": {"log.cleaner.dedupe.buffer.size": "2097154", "log.cleaner.threads": "2"},
			"refused": set(),
		},
		"kept for no time": {"sets": {"log.retention.ms": "0"}, "refused": {_range}},
		"kept for ever": {"sets": {"log.retention.ms": "-5", "log.local.retention.ms": "-1"}, "refused": set()},
		"here for longer": {
			"sets": {"log.local.retention.ms": "6", "log.retention.ms": "5"},
			"refused": {_local("6", "Value must not be more than log.retention.ms property value: 5")},
		},
		"here for ever": {
			"sets": {"log.local.retention.ms": "-1"},
			"refused": {_local("-1", "Value must not be -1 as log.retention.ms value is set as 604800000.")},
		},
		"assigned too seldom": {
			"sets": {"group.share.assignment.interval.ms": "2147483647"},
			"refused": {concat(" ", [
				"group.share.assignment.interval.ms must be less than or equal to",
				"group.share.max.assignment.interval.ms",
			])},
		},
		"nobody let in": {"sets": {"max.connections": "0"}, "refused": {_wrapped("Invalid max.connections 0")}},
		"nobody let in by a listener": {
			"sets": {"listener.name.plaintext.max.connections": "0"},
			"refused": {_wrapped("Invalid max.connections 0")},
		},
		"nobody let in by address": {
			"sets": {"max.connections.per.ip": "0"},
			"refused": {concat(" ", [
				"requirement failed: max.connections.per.ip can be set to zero only if",
				"max.connections.per.ip.overrides property is set.",
			])},
		},
		"one let in by address": {
			"sets": {"max.connections.per.ip": "0", "max.connections.per.ip.overrides": "a:1"},
			"refused": set(),
		},
		"no pair": {
			"sets": {"max.connections.per.ip.overrides": "abc"},
			"refused": {"Error parsing configuration property 'max.connections.per.ip.overrides': begin 0, end -1, length 3"},
		},
		"no number": {"sets": {"max.connections.per.ip.overrides": "a:x"}, "refused": {"For input string: \"x\""}},
		"a directory": {"sets": {"cordoned.log.dirs": "/b"}, "refused": set()},
		"no such directory": {"sets": {"cordoned.log.dirs": "/c,/a,/d"}, "refused": {concat("", [_cordoned, "/c, /d"])}},
		"a keystore without a listener": {
			"sets": {"ssl.keystore.location": "/k"},
			"refused": {concat(" ", [
				"These security configs can be dynamically updated only per-listener using the listener prefix:",
				"[ssl.keystore.location]",
			])},
		},
		"a listener's keystore": {"sets": {"listener.name.plaintext.ssl.keystore.location": "/k"}, "refused": set()},
		"a throttle": {"sets": {"leader.replication.throttled.rate": "5"}, "refused": set()},
		"no throttle": {
			"sets": {"leader.replication.throttled.rate": "-1"},
			"refused": {concat(" ", [
				"Invalid value -1 for configuration leader.replication.throttled.rate:",
				"Value must be at least 0",
			])},
		},
		"a listener's number": {
			"sets": {"listener.name.other.max.connections": "x"},
			"refused": {"Invalid value x for configuration max.connections: Not a number of type INT"},
		},
		"a listener's read-only number": {"sets": {"listener.name.other.num.partitions": "x"}, "refused": set()},
		"a read-only number of a listener there is": {
			"sets": {"listener.name.plaintext.num.partitions": "x"},
			"refused": {_wrapped("Invalid value x for configuration num.partitions: Not a number of type INT")},
		},
		"the same behind a mechanism": {
			"sets": {"listener.name.plaintext.plain.num.partitions": "x"},
			"refused": {_wrapped("Invalid value x for configuration num.partitions: Not a number of type INT")},
		},
		"a listener's voters": {
			"sets": {"listener.name.plaintext.controller.quorum.voters": ","},
			"refused": {_wrapped(concat(" ", [
				"Invalid configuration value for controller.quorum.voters.",
				"Each entry should be in the form `{id}@{host}:{port}`.",
			]))},
		},
		"voters of a listener that it lacks": {
			"sets": {"listener.name.other.controller.quorum.voters": ","},
			"refused": set(),
		},
		"a listener's fixed config": {"sets": {"listener.name.plaintext.a": "1"}, "refused": set()},
		"a listener's fixed config, looked at": {
			"sets": {"listener.name.plaintext.a": "1", "max.connections": "5"},
			"refused": {_fixed("PLAINTEXT")},
		},
		"a listener's keystore, looked at": {
			"sets": {"listener.name.plaintext.ssl.keystore.location": "/k", "max.connections": "5"},
			"refused": set(),
		},
		"providers, which are read before": {"sets": {"config.providers": ","}, "refused": set()},
	}
	tc.refused == _alter_errors(_one, "1", _sets(tc.sets))
}

test_refused_listeners[note] if {
	two := "PLAINTEXT://h:1,CONTROLLER://h:2"
	some note, tc in {
		"another port": {"sets": {"listeners": "PLAINTEXT://h:9,CONTROLLER://h:2"}, "refused": set()},
		"one without a protocol": {
			"sets": {"listeners": $"{two},X://h:3"},
			"refused": {concat("", [
				_creating("PLAINTEXT://h:1, CONTROLLER://h:2, X://h:3"),
				"No security protocol defined for listener X",
			])},
		},
		"two of a name": {
			"sets": {"listeners": $"{two},plaintext://h:3"},
			"refused": {concat("", [
				_creating("PLAINTEXT://h:1, CONTROLLER://h:2, plaintext://h:3"),
				"Each listener must have a different name, listeners: [PLAINTEXT://h:1, CONTROLLER://h:2, plaintext://h:3]",
			])},
		},
		"no controller": {
			"sets": {"listeners": "PLAINTEXT://h:1"},
			"refused": {concat(" ", [
				"requirement failed: controller.listener.names must contain at least one value appearing in the 'listeners'",
				"configuration when running the KRaft controller role",
			])},
		},
		"only a controller": {
			"sets": {"listeners": "CONTROLLER://h:2"},
			"refused": {concat(" ", [
				"requirement failed: There must be at least one broker advertised listener. Perhaps all listeners appear in",
				"controller.listener.names?",
			])},
		},
		"another protocol": {
			"sets": {"listener.security.protocol.map": "PLAINTEXT:SSL,CONTROLLER:PLAINTEXT"},
			"refused": {_wrapped("Security protocol cannot be updated for existing listener ListenerName(PLAINTEXT)")},
		},
		"no protocol": {
			"sets": {"listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,X:Y"},
			"refused": {"Invalid security protocol `Y` defined in listener.security.protocol.map"},
		},
		"a protocol that nobody has": {
			"sets": {"listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,X:SSL"},
			"refused": set(),
		},
	}
	tc.refused == _alter_errors(_one, "1", _sets(tc.sets))
}

# With several faults: not all that Kafka would come to, but what it comes to first is among them.
test_first_refused if {
	creating := _creating("a")
	unreadable := _alter_errors(_one, "1", _sets({"listeners": "a", "num.io.threads": "99"}))
	concat("", [creating, "Unable to parse a to a broker endpoint"]) in unreadable
	not _threads("num.io.threads=99", "not be greater than double the current value 8") in unreadable
}

# A map that nobody has set holds Kafka's own names, and a controller's.
test_default_map if {
	unset := {"1": {"configs": object.remove(_file, ["listener.security.protocol.map"]), "dynamicConfigs": {}}}
	_alter_errors(unset, "1", _sets({"num.io.threads": "9"})) == set()
	sets := _sets({"listener.security.protocol.map": "PLAINTEXT:SSL,CONTROLLER:PLAINTEXT"})
	problem := "Security protocol cannot be updated for existing listener ListenerName(PLAINTEXT)"
	_alter_errors(unset, "1", sets) == {_wrapped(problem)}
}

# DELETE names nothing that stays, whatever it is the name of.
test_deleted_by_name[name] if {
	some name in ["num.partitions", "ssl.keystore.location", "listeners", "listener.name.x.y", "my.key"]
	some broker in ["1", ""]
	_alter_errors(_one, broker, _change([{"name": name, "op": "DELETE"}])) == set()
}

_default_level_error := "Cannot update these configs at default cluster level, broker id must be specified: "

# Of all brokers: names that are each broker's own, and what every broker refuses that is known.
test_refused_of_all[note] if {
	threads := {"num.io.threads": "9"}
	big := {"2": {"configs": object.union(threads, {"log.retention.minutes": "1"}), "dynamicConfigs": threads}}
	other := {"3": {"configs": {"log.cleaner.threads": "2"}}}
	some note, tc in {
		"a listener's own": {
			"known": _one,
			"sets": {"listener.name.x.y": "1"},
			"refused": {concat("", [_default_level_error, "[listener.name.x.y]"])},
		},
		"what all may share of a listener": {
			"known": _one,
			"sets": {"listener.name.x.max.connections": "1"},
			"refused": set(),
		},
		"threads": {
			"known": _one,
			"sets": {"num.io.threads": "17"},
			"refused": {_threads("num.io.threads=17", "not be greater than double the current value 8")},
		},
		"threads that one has of its own": {
			"known": object.union(_one, big),
			"sets": {"num.io.threads": "17"},
			"refused": set(),
		},
		"minutes that one has": {
			"known": big,
			"sets": {"log.local.retention.ms": "60001"},
			"refused": {_local("60001", "Value must not be more than log.retention.ms property value: 60000")},
		},
		"cleaners that are too few": {
			"known": {"3": {"configs": {"log.cleaner.threads": "4"}, "dynamicConfigs": {}}},
			"sets": {"log.cleaner.threads": "1"},
			"refused": {_wrapped("Log cleaner threads cannot be reduced to less than half the current value 4")},
		},
		"one of which nobody knows what is dynamic": {"known": other, "sets": {"log.cleaner.threads": "9"}, "refused": set()},
		"no broker known": {"known": {"": {"configs": {}}}, "sets": {"num.io.threads": "17"}, "refused": set()},
	}
	tc.refused == _alter_errors(tc.known, "", _sets(tc.sets))
}

# What a broker has stored that it would not take today keeps it from nothing else: by name, by itself and as a whole.
test_refused_of_what_is_there[note] if {
	some note, stored in {
		"by name": {"num.partitions": "3"},
		"by itself": {"log.cleaner.backoff.ms": "-5"},
		"as a whole": {"log.retention.ms": "0"},
		"not to be reached": {"log.local.retention.ms": "6", "log.retention.ms": "5"},
		"of a listener": {"listener.name.plaintext.max.connections": "0"},
	}
	known := {"1": {"configs": object.union(_file, stored), "dynamicConfigs": stored}}
	some name, value in stored
	set() == _alter_errors(known, "1", _sets({"message.max.bytes": "5"}))
	set() != _alter_errors(known, "1", _sets({name: value})) | _alter_errors(_one, "1", _sets(stored))
}

test_refused_ids[note] if {
	several := {"1": {"configs": {}}, "2": {"configs": {}}}
	some note, tc in {
		"no number": {"known": _one, "broker": "x", "refused": {"Node id must be an integer, but it is: x"}},
		"a number and a space": {"known": _one, "broker": " 1", "refused": {"Node id must be an integer, but it is:  1"}},
		"another than the one": {
			"known": _one,
			"broker": "7",
			"refused": {"Unexpected broker id, expected 1, but received 7"},
		},
		"another spelling": {"known": _one, "broker": "01", "refused": {"Broker '01' is not known in cluster 'prod-eu'."}},
		"none of several": {"known": several, "broker": "7", "refused": {"Broker '7' is not known in cluster 'prod-eu'."}},
		"none known": {"known": {}, "broker": "7", "refused": {"Broker '7' is not known in cluster 'prod-eu'."}},
	}
	tc.refused == _alter_errors(tc.known, tc.broker, _sets({"num.io.threads": "9"}))
}

# The form of a request is looked at before its broker, its lists afterwards.
test_refused_form if {
	twice := _change([{"name": "a", "op": "DELETE"}, {"name": "a", "op": "DELETE"}])
	_alter_errors(_one, "7", twice) == {"Error due to duplicate config keys"}
	appended := _change([{"name": "leader.replication.throttled.rate", "op": "APPEND", "value": "1"}])
	_alter_errors(_one, "7", appended) == {"Unexpected broker id, expected 1, but received 7"}
	_alter_errors(_one, "1", appended) == {"Unknown config name: leader.replication.throttled.rate"}
}

_late(value, unit, kept) := {_wrapped(concat("", [
	$"Invalid value {value} for configuration log.remote.copy.lag.{unit}: ",
	$"Value must not exceed log.local.retention.{unit} (effective value: {kept})",
]))}

test_copied_too_late[note] if {
	ms := "log.remote.copy.lag.ms"
	bytes := "log.remote.copy.lag.bytes"
	some note, tc in {
		"as late as all is kept": {"sets": {ms: "604800000"}, "refused": set()},
		"later than all is kept": {"sets": {ms: "604800001"}, "refused": _late("604800001", "ms", "604800000")},
		"as late as it is here": {"sets": {"log.local.retention.ms": "5", ms: "5"}, "refused": set()},
		"later than it is here": {"sets": {"log.local.retention.ms": "5", ms: "6"}, "refused": _late("6", "ms", "5")},
		"not here at all": {"sets": {"log.local.retention.ms": "0", ms: "1"}, "refused": _late("1", "ms", "0")},
		"at once, and not here at all": {"sets": {"log.local.retention.ms": "0", ms: "0"}, "refused": set()},
		"bytes": {"sets": {"log.retention.bytes": "4", bytes: "5"}, "refused": _late("5", "bytes", "4")},
		"kept for ever": {"sets": {"log.retention.ms": "-1", ms: "9223372036854775807"}, "refused": set()},
	}
	tc.refused == _alter_errors(_one, "1", _sets(tc.sets))
}

test_copied_late_in_a_release_that_knows_it_not if {
	late := _sets({"log.remote.copy.lag.ms": "604800001"})
	_alter_errors(_one, "1", late) != set()
	_alter_errors(_one, "1", late) == set() with data.catalog.broker as releases.brokers["4.3"]
}
