package kafka.lists

import data.kafka.base.request
import data.kafka.lists.scope

# METADATA
# description: What is wrong with a document, each naming its field.
_input_problems contains "the input is not an object: send {component, name, value, mode}" if not is_object(input)

_input_problems contains $"{field}: unknown field; known are {concat(", ", _input_fields)}" if {
	is_object(input)
	some field in object.keys(input)
	not field in _input_fields
}

_input_problems contains $"mode: {json.marshal(mode)} is not one of ensureValid, parse, validate" if {
	is_object(input)
	mode := object.get(input, "mode", null)
	not mode in {"ensureValid", "parse", "validate"}
}

_input_problems contains "component: name a component, or send a validator in its place" if {
	is_object(input)
	[field | some field in ["component", "validator"]; field in object.keys(input)] == []
}

_input_problems contains "validator: it stands in place of component; leave one of the two out" if {
	{"component", "validator"} - object.keys(input) == set()
}

_input_problems contains _unknown_component_problem(input.component) if {
	"component" in object.keys(input)
	not scope.is_known(input.component)
}

_input_problems contains "configs: it stands in place of name and value; leave them out, or leave configs out" if {
	"configs" in object.keys(input)
	some field in ["name", "value"]
	field in object.keys(input)
}

_input_problems contains "configs: not an object of name to value" if {
	is_object(input)
	not is_object(object.get(input, "configs", {}))
}

_input_problems contains "configs: a validator is for one value: send name and value" if {
	"validator" in object.keys(input)
	"configs" in object.keys(input)
}

_input_problems contains "name: name the configuration" if {
	is_object(input)
	not "configs" in object.keys(input)
	not is_string(object.get(input, "name", null))
}

_input_problems contains $"name: {input.name} is not a list-typed configuration of {input.component}" if {
	is_string(input.name)
	scope.is_known(input.component)
	scope.row(input.component, input.name) == null
}

_input_problems contains $"value[{i}]: not a string" if {
	is_array(input.value)
	some i, item in input.value
	not type_name(item) in {"string", "null"}
}

_input_problems contains $"validator.{problem}" if {
	is_object(input.validator)
	some problem in _validator_problems(input.validator)
}

_input_problems contains "validator: not an object {kind, isEmptyAllowed, isNullAllowed, validStrings}" if {
	is_object(input)
	not is_object(object.get(input, "validator", {}))
}

_unknown_component_problem(name) := $"component: {json.marshal(name)} is not known{hint}; known are {known}" if {
	hint := request.hint(name, scope.components)
	known := concat(", ", sort(scope.components))
}

_input_fields := ["component", "configs", "mode", "name", "validator", "value"]

_validator_problems(validator) := (((((({$"{field}: unknown field; known are {concat(", ", _validator_fields)}" |
	some field in object.keys(validator)
	not field in _validator_fields
} | {"kind: not one of in, anyNonDuplicateValues" |
	not object.get(validator, "kind", null) in {"in", "anyNonDuplicateValues"}
}) | {"isEmptyAllowed: say true or false" |
	not is_boolean(object.get(validator, "isEmptyAllowed", null))
}) | {"isNullAllowed: say true or false" |
	not is_boolean(object.get(validator, "isNullAllowed", false))
}) | {"isNullAllowed: `in` never allows null" |
	validator.kind == "in"
	validator.isNullAllowed == true
}) | {"validStrings: not a list of strings" |
	not _is_list_of_strings(object.get(validator, "validStrings", []))
}) | {"validStrings: anyNonDuplicateValues takes none" |
	validator.kind == "anyNonDuplicateValues"
	count(validator.validStrings) > 0
}) | {"validStrings: At least one valid string must be provided when empty values are not allowed" |
	validator.kind == "in"
	validator.isEmptyAllowed == false
	object.get(validator, "validStrings", []) == []
}

_validator_fields := ["isEmptyAllowed", "isNullAllowed", "kind", "validStrings"]

_is_list_of_strings(list) if {
	is_array(list)
	every item in list { is_string(item) }
}
