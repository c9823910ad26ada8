package checks.rules

# METADATA
# description: The settings that ship have each rule of the library with each of its parameters, and nothing else.
_settings_problems contains _problem_at(rule, $"{id} is not in the settings that ship") if {
	some rule in _library_rules
	id := rule.annotation.custom.id
	not input.settings.rules[id]
}

_settings_problems contains _problem_at(rule, $"the settings that ship lack {id}'s parameter {name}") if {
	some rule in _library_rules
	id := rule.annotation.custom.id
	some name in (_param_names(rule) - object.keys(input.settings.rules[id].params))
}

_settings_problems contains _problem_at(
	rule,
	$"the settings that ship give {id} the parameter {name}, which it lacks",
) if {
	some rule in _library_rules
	id := rule.annotation.custom.id
	some name in (object.keys(input.settings.rules[id].params) - _param_names(rule))
}

_settings_problems contains _problem("bundle/settings/data.yaml", {}, $"{id} is a rule that no file holds") if {
	some id in (object.keys(input.settings.rules) - {rule.annotation.custom.id | some rule in _library_rules})
}

_param_names(rule) := object.keys(object.get(rule.annotation.custom, "params", {}))
