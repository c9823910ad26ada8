# METADATA
# title: Controls of frameworks
# description: |
#   What is wrong with tables of frameworks (data.catalog.controls, data.site.controls) and with the controls that rules
#   name (custom.controls of their METADATA). Evaluated when a bundle is built and by the tests, never part of a bundle.
# scope: subpackages
package checks.controls

# METADATA
# title: A site's controls
# description: |
#   A sentence for each problem. `input` is {"shipped": data.catalog.controls, "own": the site's data.site.controls,
#   "named": {id of a rule: its controls}, "rules": ids of all rules}.
# entrypoint: true
problems := {$"{id}: METADATA, custom.{sentence}" |
	some id, named in input.named
	some sentence in name_problems(named, _all_frameworks)
} | table_problems(input.own, _all_frameworks, input.rules)

_all_frameworks := object.union(input.shipped, input.own) if is_object(input.own)

_all_frameworks := input.shipped if not is_object(input.own)

# METADATA
# description: Sentences about the controls that one rule names; `frameworks` is a table.
name_problems(named, frameworks) := {$"controls: {name} is named twice: name it once" |
	some i, name in named
	some j in numbers.range(i + 1, count(named) - 1)
	j > i
	named[j] == name
} | {sentence |
	some name in named
	sentence := _control_name_problem(split(name, " "), name, frameworks)
}

_control_name_problem(parts, name, frameworks) := $"controls: {name}: write FRAMEWORK ID, such as SOC2 CC6.1" if {
	count(parts) != 2
} else := $"controls: {name}: there is no framework {parts[0]}: use {concat(", ", object.keys(frameworks))}" if {
	not frameworks[parts[0]]
} else := $"controls: {name}: {parts[1]} is not an id of {parts[0]}" if {
	not regex.match(frameworks[parts[0]].form, parts[1])
} else := $"controls: {name}: the table of {parts[0]} has no {parts[1]}" if {
	not frameworks[parts[0]].controls[parts[1]]
}

_text_schema := {"type": "string", "minLength": 1}

_frameworks_schema := {"type": "object", "additionalProperties": {
	"type": "object",
	"additionalProperties": false,
	"required": ["controls"],
	"properties": {"title": _text_schema, "form": _text_schema, "controls": {"type": "object", "additionalProperties": {
		"type": "object",
		"additionalProperties": false,
		"properties": {"title": _text_schema, "rules": {"type": "array", "uniqueItems": true, "items": _text_schema}},
	}}},
}}

# METADATA
# description: Sentences about a table; `whole` is what it makes with the table that it is laid over, `rules` all ids.
table_problems(table, whole, rules) := {$"data.site.controls, {error.field}: {error.desc}" |
	some error in json.match_schema(table, _frameworks_schema)[1]
} | {$"data.site.controls.{name}: {sentence}" |
	json.match_schema(table, _frameworks_schema)[0]
	some name, framework in table
	some sentence in _framework_problems(name, framework, whole[name], rules)
}

_framework_problems(name, framework, whole, rules) := ({$"{field} is missing" |
	some field in ["title", "form"]
	not whole[field]
} | {sentence |
	some id, control in framework.controls
	some sentence in _control_problems(id, control, whole, rules)
}) | {$"{name} has a space in its name, which ends there in METADATA" | contains(name, " ")}

_control_problems(id, control, whole, rules) := ({$"controls.{id} is not an id by its form, {whole.form}" |
	not regex.match(whole.form, id)
} | {$"controls.{id} has no title" |
	not whole.controls[id].title
}) | {$"controls.{id}.rules: there is no rule {rule}" |
	some rule in object.get(control, "rules", [])
	not rule in rules
}
