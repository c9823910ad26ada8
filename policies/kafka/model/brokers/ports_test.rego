package kafka.model.brokers_test

_listeners(one, other, third) := $"PLAINTEXT://{one},X://{other},CONTROLLER://{third}"

_each := "Each listener must have a different port, listeners: "

_port_error := "If you have two listeners on the same port then one needs to be IPv4 and the other IPv6, listeners: "

_problem := concat("", [
	"Each listener must have a different port unless exactly one listener has an IPv4 address and the other ",
	"IPv6 address, listeners: ",
])

test_ports[note] if {
	some note, tc in {
		"all different": {"listeners": _listeners("h:1", "h:2", "h:3"), "problem": null},
		"any": {"listeners": _listeners("h:0", "h:0", "h:0"), "problem": null},
		"an address of each sort": {"listeners": _listeners("1.1.1.1:1", "[::1]:1", "h:3"), "problem": null},
		"a host twice": {"listeners": _listeners("h:1", "h:1", "h:3"), "problem": [_each, ""]},
		"two addresses of one sort": {
			"listeners": _listeners("1.1.1.1:1", "1.1.1.2:1", "h:3"),
			"problem": [_port_error, ", port: 1"],
		},
		"an address of each sort and a host": {
			"listeners": _listeners("1.1.1.1:1", "[::1]:1", "h:1"),
			"problem": [_port_error, ", port: 1"],
		},
		"an address and a host": {"listeners": _listeners("1.1.1.1:1", "h:1", "h:3"), "problem": [_problem, ", port: 1"]},
		"three addresses": {"listeners": _listeners("1.1.1.1:1", "[::1]:1", "2.2.2.2:1"), "problem": [_problem, ", port: 1"]},
	}
	protocols := "PLAINTEXT:PLAINTEXT,X:PLAINTEXT,CONTROLLER:PLAINTEXT"
	change := _sets({"listeners": tc.listeners, "listener.security.protocol.map": protocols})
	printed := replace(tc.listeners, ",", ", ")
	expected := {$"{_creating(printed)}{tc.problem[0]}[{printed}]{tc.problem[1]}" | tc.problem != null}
	expected == _alter_errors(_one, "1", change)
}

test_a_listener_without_a_name if {
	_alter_errors(_one, "1", _sets({"listeners": "://h:1,CONTROLLER://h:2"})) == {concat("", [
		_creating("://h:1, CONTROLLER://h:2"),
		"The provided listener name is null or empty string",
	])}
}

# What is advertised is what the file says, else every listener but the controllers'.
test_listeners_without_what_is_advertised[note] if {
	protocols := "PLAINTEXT:PLAINTEXT,X:PLAINTEXT,CONTROLLER:PLAINTEXT"
	some note, tc in {
		"set": {
			"configs": {"advertised.listeners": "X://h:3"},
			"problem": "Advertised listeners 'Set(ListenerName(X))'",
		},
		"not set": {"configs": {}, "problem": "Advertised listeners 'Set(ListenerName(PLAINTEXT), ListenerName(X))'"},
		"what stays": {"configs": {"advertised.listeners": "PLAINTEXT://h:1"}, "problem": null},
	}
	own := {"listeners": _listeners("h:1", "h:3", "h:2"), "listener.security.protocol.map": protocols}
	known := {"1": {"configs": object.union_n([_file, own, tc.configs]), "dynamicConfigs": {}}}
	there := "'Set(ListenerName(PLAINTEXT), ListenerName(CONTROLLER))'"
	expected := {_wrapped($"{tc.problem} must be a subset of listeners {there}") | tc.problem != null}
	expected == _alter_errors(known, "1", _sets({"listeners": "PLAINTEXT://h:1,CONTROLLER://h:2"}))
}
