package kafka.model.brokers

import data.kafka.configs

# METADATA
# description: |
#   What QuorumConfig refuses of the voters and of the bootstrap servers of controllers, as it reads them.
_quorum_parse_problems(texts) := ({message |
	key := "controller.quorum.voters"
	some entry in configs.typed("broker", key, texts[key])
	problem := _voter_parse_message(_voter_parts(entry), entry)
	message := replace(problem, "{key}", key)
} | {message |
	key := "controller.quorum.bootstrap.servers"
	some entry in configs.typed("broker", key, texts[key])
	problem := _unparsable_address_part(entry)
	part := {"host": "host name", "port": "host port"}[problem]
	message := concat("", [
		$"Failed to parse {part} from {entry} for the configuration {key}. ",
		`Each entry should be in the form "{host}:{port}"`,
	])
}) | {problem |
	some key in ["controller.quorum.voters", "controller.quorum.bootstrap.servers"]
	some entry in configs.typed("broker", key, texts[key])
	[[_, digits]] := regex.find_all_string_submatch_n(`:([0-9]+)@*$`, entry, 1)
	problem := _port_number_message(digits)
}

_voter_parse_message(parts, _) := concat(" ", [
	"Invalid configuration value for {key}.",
	"Each entry should be in the form `{id}@{host}:{port}`.",
]) if {
	count(parts) != 2
}

_voter_parse_message([id, address], entry) := $"Failed to parse voter ID as an integer from {id}" if {
	not configs.int32(id)
} else := message if {
	_unparsable_address_part(address)
	words := "Failed to parse host name from entry {entry} for the configuration {key}. {form}"
	form := "Each entry should be in the form `{id}@{host}:{port}`."
	message := replace(replace(words, "{entry}", entry), "{form}", form)
}

# As Java's split, which drops what is empty at the end.
_voter_parts(entry) := split(trim_right(entry, "@"), "@")

_unparsable_address_part(address) := "host" if {
	not regex.match(`^([0-9a-zA-Z\-%._]*://)?\[?[0-9a-zA-Z\-%._:]*]?:[0-9]+$`, address)
}

_port_number_message(digits) := $"For input string: \"{digits}\"" if {
	not configs.int32(digits)
} else := $"port out of range:{to_number(digits)}" if {
	configs.int32(digits) > 65535
}

# METADATA
# description: What KafkaConfig.validateValues refuses of a file's node and of the quorum that it belongs to.
_node_and_quorum_problems(texts) := union({
	{concat(" ", [
		"`node.id` and `broker.id` must be set to the same value.",
		"`broker.id` is deprecated, please use `node.id` instead.",
	]) |
		_typed_config_value(texts, "node.id") != _typed_config_value(texts, "broker.id")
	},
	{concat(" ", [
		"If using process.roles, either controller.quorum.bootstrap.servers must contain the set of bootstrap controllers",
		"or controller.quorum.voters must contain a parseable set of controllers.",
	]) |
		object.get(texts, "controller.quorum.bootstrap.servers", "") == ""
		_voters(texts) == []
	},
	{$"requirement failed: If process.roles contains {what} the set of voters controller.quorum.voters=Set({voters})" |
		ids := {id | some [id, _] in _voters(texts)}
		voters := concat(", ", [$"{id}" | some id in ids])
		what := _voter_ids_problem(_process_roles(texts), _typed_config_value(texts, "node.id"), ids)
	},
	{"Host string (0.0.0.0) is not routeable" |
		_is_controller_advertised_by_voters(texts)
		some [_, address] in _voters(texts)
		regex.match(`^([^:]*://)?\[?0\.0\.0\.0\]?:`, address)
	},
	{concat(" ", [
		"requirement failed: controller.quorum.auto.join.enable is only supported when process.roles contains",
		"the 'controller' role.",
	]) |
		_process_roles(texts) == {"broker"}
		configs.typed("broker", "controller.quorum.auto.join.enable", texts["controller.quorum.auto.join.enable"])
	},
})

# The first of a controller's listeners that has no host of its own is reached as the voters say.
_is_controller_advertised_by_voters(texts) if {
	first := configs.typed("broker", "controller.listener.names", texts["controller.listener.names"])[0]
	some endpoint in _endpoints(_listeners(texts))
	endpoint.name == first
	endpoint.host in {"", "0.0.0.0"}
	not first in {other.name | some other in _advertised_endpoints(texts); texts["advertised.listeners"]}
}

_typed_config_value(texts, name) := configs.typed("broker", name, texts[name])

_voters(texts) := [[configs.int32(parts[0]), parts[1]] |
	key := "controller.quorum.voters"
	some entry in configs.typed("broker", key, texts[key])
	parts := _voter_parts(entry)
]

_voter_ids_problem({"broker"}, node, ids) := $"just the 'broker' role, the node id {node} must not be included in" if {
	node in ids
}

_voter_ids_problem(roles, node, ids) := $"the 'controller' role, the node id {node} must be included in" if {
	"controller" in roles
	ids != set()
	not node in ids
}
