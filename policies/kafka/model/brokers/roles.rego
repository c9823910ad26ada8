package kafka.model.brokers

import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   What KafkaConfig refuses of the listeners of a broker's or of a controller's role, of a file and of a broker that
#   runs.
_role_listener_problems(texts) := {concat(" ", [
	"requirement failed: controller.listener.names must contain at least one value appearing in the 'listeners'",
	"configuration when running the KRaft controller role",
])} if {
	"controller" in configs.typed("broker", "process.roles", texts["process.roles"])
	_listener_names(texts) != set()
	_listener_names(texts) & _controller_listener_names(texts) == set()
} else := {_no_advertised_listener_message} if {
	"broker" in configs.typed("broker", "process.roles", texts["process.roles"])
	_listener_names(texts) != set()
	_listener_names(texts) - _controller_listener_names(texts) == set()
} else := set()

_no_advertised_listener_message := concat(" ", [
	"requirement failed: There must be at least one broker advertised listener.",
	"Perhaps all listeners appear in controller.listener.names?",
])

# METADATA
# description: |
#   What KafkaConfig.validateValues refuses besides of a file's controller.listener.names, by the roles of the node.
_controller_listener_problems(texts) := union({
	_broker_only_listener_problems(texts, _process_roles(texts)),
	_controller_role_listener_problems(texts, _process_roles(texts)),
	_controller_only_listener_problems(texts, _process_roles(texts)),
})

_process_roles(texts) := {role | some role in configs.typed("broker", "process.roles", texts["process.roles"])}

_broker_only_listener_problems(texts, {"broker"}) := {$"requirement failed: controller.listener.names {problem}" |
	_listener_names(texts) & _controller_listener_names(texts) != set()
	problem := concat(" ", [
		"must not contain a value appearing in the 'listeners' configuration when running KRaft with",
		"just the broker role",
	])
} | {message |
	protocols := _protocols_by_listener(texts)
	some name in _controller_listener_names(texts)
	not protocols[upper(name)]
	message := concat(" ", [
		$"Controller listener with name {upper(name)} defined in controller.listener.names not found in",
		"listener.security.protocol.map  (an explicit security mapping for each controller listener is required if",
		"listener.security.protocol.map is non-empty, or if there are security protocols other than PLAINTEXT in use)",
	])
}

_broker_only_listener_problems(_, roles) := set() if "controller" in roles

_controller_role_listener_problems(texts, roles) := {concat(" ", [
	"requirement failed: controller.listener.names must only contain values appearing in the 'listeners'",
	"configuration when running the KRaft controller role",
]) |
	"controller" in roles
	_controller_listener_names(texts) - _listener_names(texts) != set()
}

# The listeners are counted against those by which controllers are reached, advertised or not.
_controller_only_listener_problems(texts, {"controller"}) := {concat(" ", [
	"requirement failed: The listeners config must only contain KRaft controller listeners from",
	"controller.listener.names when process.roles=controller",
]) |
	there := {upper(name) | some name in _controller_listener_names(texts)} & _controller_listener_names(texts)
	reached := there & (_listener_names(texts) | {endpoint.name | some endpoint in _advertised_endpoints(texts)})
	count([name | some name in _controller_listener_names(texts); upper(name) in reached]) != count(_listeners(texts))
} | {concat(" ", [
	"requirement failed: controller.listener.names must not contain an explicitly set inter.broker.listener.name",
	"configuration value when process.roles=controller'",
]) |
	inter_broker := configs.typed("broker", "inter.broker.listener.name", texts["inter.broker.listener.name"])
	upper(inter_broker) in _controller_listener_names(texts)
}

_controller_only_listener_problems(_, roles) := set() if "broker" in roles

_advertised_endpoints(texts) := _endpoints(lists.distinct(configs.typed(
	"broker", "advertised.listeners",
	object.get(texts, "advertised.listeners", texts.listeners),
)))
