package checks.settings

# The two kinds of policy are not used together, as Kafka would not (KIP-201).
problems contains {"path": ["policies"], "message": message} if {
	input.settings.policies["topic.management.policy"]
	_deprecated_policy_names != []
	message := $"use of config topic.management.policy precludes use of {concat(" and ", _deprecated_policy_names)}"
}

# METADATA
# description: What the settings use that will go one day, each with what to use instead.
# entrypoint: true
deprecations contains message if {
	some name in _deprecated_policy_names
	message := concat(" ", [
		$"policies: {name} is deprecated: it sees neither the principal nor the topic as it is.",
		"Move its rules to data.site.rules, which topic.management.policy stands for.",
	])
}

_deprecated_policy_names := sort(names & {"create.topic.policy", "alter.config.policy"}) if {
	names := object.keys(object.get(input.settings, "policies", {}))
}
