package kafka.model.brokers_test

_valid_options := concat(" ", [
	"inter.broker.listener.name must be a listener name defined in advertised.listeners.",
	"The valid options based on currently configured listeners are",
])

_unmapped_controller := concat(" ", [
	"Controller listener with name CONTROLLER defined in controller.listener.names not found in",
	"listener.security.protocol.map  (an explicit security mapping for each controller listener is required if",
	"listener.security.protocol.map is non-empty, or if there are security protocols other than PLAINTEXT in use)",
])

_unheard := _required(concat(" ", [
	"controller.listener.names must only contain values appearing in the 'listeners' configuration when running",
	"the KRaft controller role",
]))

_no_listener_error := _required(concat(" ", [
	"There must be at least one broker advertised listener.",
	"Perhaps all listeners appear in controller.listener.names?",
]))

_nowhere := _required(concat(" ", [
	"advertised.listeners cannot use the nonroutable meta-address 0.0.0.0.",
	"Use a routable IP address.",
]))

# What a file of each role is refused for; all of it is among what Kafka may come to first.
test_roles[note] if {
	some note, tc in {
		"a broker that listens for controllers": {
			"file": _node,
			"sets": {"listeners": "PLAINTEXT://h:1,CONTROLLER://:2"},
			"refused": {_required(concat(" ", [
				"controller.listener.names must not contain a value appearing in the 'listeners' configuration when",
				"running KRaft with just the broker role",
			]))},
		},
		"a broker without a way to controllers": {
			"file": _node,
			"sets": {"listener.security.protocol.map": "PLAINTEXT:PLAINTEXT"},
			"refused": {_unmapped_controller},
		},
		"a broker without a plain way to controllers": {
			"file": _node,
			"sets": {"listeners": "PLAINTEXT://h:2,SSL://h:1"},
			"refused": {_unmapped_controller},
		},
		"a broker without controllers": {
			"file": object.remove(_node, ["controller.quorum.bootstrap.servers"]),
			"sets": {},
			"refused": {concat(" ", [
				"If using process.roles, either controller.quorum.bootstrap.servers must contain the set of bootstrap",
				"controllers or controller.quorum.voters must contain a parseable set of controllers.",
			])},
		},
		"a broker that votes": {
			"file": _node,
			"sets": {"controller.quorum.voters": "2@d:1,1@c:1"},
			"refused": {_required(concat(" ", [
				"If process.roles contains just the 'broker' role, the node id 1 must not be included in the set of voters",
				"controller.quorum.voters=Set(1, 2)",
			]))},
		},
		"a broker that joins": {
			"file": _node,
			"sets": {"controller.quorum.auto.join.enable": "true"},
			"refused": {_required(concat(" ", [
				"controller.quorum.auto.join.enable is only supported when process.roles contains",
				"the 'controller' role.",
			]))},
		},
		"a controller that does not vote": {
			"file": _controller,
			"sets": {"controller.quorum.voters": "2@d:1"},
			"refused": {_required(concat(" ", [
				"If process.roles contains the 'controller' role, the node id 1 must be included in the set of voters",
				"controller.quorum.voters=Set(2)",
			]))},
		},
		"a controller that listens to others": {
			"file": _controller,
			"sets": {"listeners": "CONTROLLER://:1,PLAINTEXT://:2"},
			"refused": {_required(concat(" ", [
				"The listeners config must only contain KRaft controller listeners from controller.listener.names",
				"when process.roles=controller",
			]))},
		},
		"a controller between brokers": {
			"file": _controller,
			"sets": {"inter.broker.listener.name": "controller"},
			"refused": {_required(concat(" ", [
				"controller.listener.names must not contain an explicitly set inter.broker.listener.name",
				"configuration value when process.roles=controller'",
			]))},
		},
		"a controller of whom voters know no host": {
			"file": _controller,
			"sets": {"controller.quorum.voters": "1@0.0.0.0:9093"},
			"refused": {"Host string (0.0.0.0) is not routeable"},
		},
		"a name without a listener": {
			"file": _combined,
			"sets": {"controller.listener.names": "CONTROLLER,OTHER"},
			"refused": {_unheard},
		},
		"nothing advertised": {
			"file": _node,
			"sets": {"advertised.listeners": "CONTROLLER://h:1"},
			"refused": {_no_listener_error, _required($"{_valid_options} ")},
		},
		"what nobody listens to advertised": {
			"file": _node,
			"sets": {"advertised.listeners": "PLAINTEXT://h:1,SSL://h:1"},
			"refused": {_required(concat(" ", [
				"advertised.listeners listener names must be equal to or a subset of the ones defined in listeners.",
				"Found PLAINTEXT,SSL. The valid options based on the current configuration are PLAINTEXT",
			]))},
		},
		"another between brokers": {
			"file": _node,
			"sets": {"security.inter.broker.protocol": "SSL"},
			"refused": {_required($"{_valid_options} PLAINTEXT")},
		},
		"no address": {"file": _node, "sets": {"listeners": "PLAINTEXT://0.0.0.0:1"}, "refused": {_nowhere}},
		"no address of a controller": {
			"file": _combined,
			"sets": {"advertised.listeners": "PLAINTEXT://h:1,CONTROLLER://0.0.0.0:1"},
			"refused": {_nowhere},
		},
		"an unknown name between brokers": {
			"file": _node,
			"sets": {"inter.broker.listener.name": "x"},
			"refused": {
				"Listener with name X defined in inter.broker.listener.name not found in listener.security.protocol.map.",
				_required($"{_valid_options} PLAINTEXT"),
			},
		},
		"two ways between brokers": {
			"file": _node,
			"sets": {"inter.broker.listener.name": "PLAINTEXT", "security.inter.broker.protocol": "PLAINTEXT"},
			"refused": {"Only one of inter.broker.listener.name and security.inter.broker.protocol should be set."},
		},
		"a mechanism that is not enabled": {
			"file": _combined,
			"sets": {
				"listeners": "SASL_SSL://h:1,CONTROLLER://:2",
				"listener.security.protocol.map": "SASL_SSL:SASL_SSL,CONTROLLER:SSL",
				"inter.broker.listener.name": "SASL_SSL",
				"sasl.enabled.mechanisms": "GSSAPI",
				"listener.name.sasl_ssl.sasl.enabled.mechanisms": "PLAIN",
				"listener.name.sasl_ssl.num.network.threads": "x",
			},
			"refused": {
				_required(concat(" ", [
					"sasl.mechanism.inter.broker.protocol must be included in sasl.enabled.mechanisms when SASL is used",
					"for inter-broker communication",
				])),
				"Invalid value x for configuration num.network.threads: Not a number of type INT",
			},
		},
		"no name in a map": {
			"file": _node,
			"sets": {"listener.security.protocol.map": ":SSL,PLAINTEXT:PLAINTEXT,CONTROLLER:SSL"},
			"refused": {"The provided listener name is null or empty string"},
		},
		"a name in two cases": {
			"file": _node,
			"sets": {"listener.security.protocol.map": "x:SSL,X:PLAINTEXT,PLAINTEXT:PLAINTEXT,CONTROLLER:SSL"},
			"refused": {"Duplicate key ListenerName(X) (attempted merging values PLAINTEXT and SSL)"},
		},
		"a name twice": {
			"file": _node,
			"sets": {"listener.security.protocol.map": "X:PLAINTEXT,X:SSL,PLAINTEXT:PLAINTEXT,CONTROLLER:SSL,"},
			"refused": set(),
		},
		"a port that is none": {
			"file": _node,
			"sets": {"listeners": "PLAINTEXT://h:99999999999"},
			"refused": {concat("", [
				"Error creating broker listeners from '[PLAINTEXT://h:99999999999]': ",
				`For input string: "99999999999"`,
			])},
		},
	}
	tc.refused == _start_refusals(tc.file, tc.sets)
}

# Where no map is set, Kafka has to know the name of every listener.
test_nameless if {
	"Unable to parse a listener name from x" in _start_refusals(_node, {"listeners": "x"})
}
