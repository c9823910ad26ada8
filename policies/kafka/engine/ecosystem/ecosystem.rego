# METADATA
# title: The ecosystem's own topics
# description: |
#   Rules that the topics of tools such as Kafka Connect may break where the settings name the tool (`ecosystem`). A
#   topic is a tool's by its name and by how it is set, both of which stand in `catalog.ecosystem`.
package kafka.engine.ecosystem

# METADATA
# description: |
#   The rules that a topic may break, by its name and what it is or will be: `configs` as texts and `numPartitions`.
exempt(topic, state) := {rule |
	some tool, chosen in chosen_tools
	some kind in data.catalog.ecosystem[tool].topics
	_has_expected_name(kind, chosen, topic)
	_has_expected_state(kind, state)
	some rule in kind.exempt
}

# METADATA
# description: The tools that the settings name, with what they say of each.
chosen_tools := object.get(data.settings.compiled, "ecosystem", {})

_has_expected_name(kind, chosen, topic) if {
	some alias in _alias_patterns(kind, chosen)
	regex.match(replace(kind.name, "{alias}", alias), topic)
}

_alias_patterns(_, chosen) := chosen.aliases

_alias_patterns(kind, chosen) := ["[a-zA-Z0-9_-]+"] if {
	not chosen.aliases
	not kind.onlyAliases
}

_has_expected_state(kind, state) if {
	object.get(kind, "partitions", state.numPartitions) == state.numPartitions
	every name, values in kind.configs {
		state.configs[name] in values
	}
}
