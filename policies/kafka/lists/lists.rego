# METADATA
# title: List-typed configurations
# description: |
#   What Kafka makes of a value of a list-typed configuration (KIP-1161, as released): whether it takes it, with which
#   words it refuses, and the list it becomes. The catalogue `data.catalog.lists` has a row for each configuration.
# scope: subpackages
package kafka.lists

import data.kafka.lists.scope

# METADATA
# title: Check of list-typed configurations
# description: |
#   The answer about one value, or about each list-typed configuration of a whole `configs` map, by name.
#   Anything that is not such a document is answered with errors that name the field, and never with `valid`.
# entrypoint: true
default check := {
	"valid": false,
	"values": null,
	"errors": ["the input is missing: send {component, name, value, mode}"],
	"warnings": [],
}

check := _refused_answer(_input_problems) if _input_problems != set()

check := _value_result(_named_row.row, _named_row.name, input, input.mode) if {
	_input_problems == set()
	not "configs" in object.keys(input)
}

check := _results_by_key(scope.component(input.component, input.configs), input.configs, input.mode) if {
	_input_problems == set()
	"configs" in object.keys(input)
}

# METADATA
# title: Checks of many list-typed configurations
# description: The answer of kafka/lists/check about each of `items`, under the item's own key.
# entrypoint: true
checks[key] := answer if {
	some key, document in input.items
	answer := check with input as document
}

_named_row := scope.row(input.component, input.name)

_named_row := {"name": input.name, "row": object.union({"isNullAllowed": false, "validStrings": []}, input.validator)}

# The keys that the file sets, and those it would have to set.
_results_by_key(component, configs, mode) := object.union(
	{key: _value_result(entry.row, entry.name, entry, mode) |
		some key, entry in scope.rows(component, configs)
	},
	{name: _value_result(data.catalog.lists.components[component][name], name, {}, mode) |
		mode != "ensureValid"
		some name in scope.required(component)
		not name in object.keys(configs)
	},
)

_refused_answer(problems) := {"valid": false, "values": null, "errors": sort(problems), "warnings": []}
