package kafka.lists

# The answer about one value. `given` has `value`, unless the key is not set. Of a validator that is not a ValidList
# only the reading is known, and a note says so.
_value_result(row, name, given, mode) := {"valid": true, "values": values, "errors": [], "warnings": []} if {
	is_boolean(row.isEmptyAllowed)
	mode != "ensureValid"
	values := split_text(given.value)
	_are_clearly_valid(row.validStrings, values)
} else := _validation_result(row, name, given, mode) if {
	_has_valid_list_validator(row)
} else := object.union(_validation_result(row, name, given, mode), {"notes": [note]}) if {
	note := $"Configuration '{name}' was read, not validated: its validator is {row.kind}."
}

# Values against which nothing can be said, as nearly all are: something, nothing twice, nothing empty, nothing unknown.
_are_clearly_valid(valid_strings, values) if {
	values != []
	members := {value | some value in values}
	count(members) == count(values)
	not "" in members
	_are_valid_strings(valid_strings, members)
}

_are_valid_strings([], _) := true

_are_valid_strings(valid_strings, members) if {
	valid_strings != []
	members - {value | some value in valid_strings} == set()
}

_validation_result(row, name, given, mode) := {
	"valid": errors == [],
	"values": _values_if_valid(values, errors),
	"errors": errors,
	"warnings": _duplicate_warnings(name, read, values),
} if {
	found := _unvalidated_list_or_errors(row, name, given, mode)
	read := object.get(found, "list", null)
	values := _deduplicated_values(row, read, mode)
	errors := array.concat(object.get(found, "errors", []), _validation_messages(row, name, values, found, mode))
}

_values_if_valid(values, []) := values

_values_if_valid(_, errors) := null if errors != []

# What stands there before anything is validated: {"list": …, "errors": […]}.
_unvalidated_list_or_errors(_, name, given, "ensureValid") := {"list": given.value} if {
	type_name(given.value) in {"array", "null"}
} else := {"errors": [$"value: mode ensureValid takes a list or null for {name}"]}

_unvalidated_list_or_errors(row, name, given, mode) := {"list": _list_or_error(name, given.value).list} if {
	mode != "ensureValid"
} else := {"errors": [_list_or_error(name, given.value).error]} if {
	mode != "ensureValid"
} else := {"list": _default_list(row)} if {
	mode != "ensureValid"
} else := {"errors": [$"Missing required configuration \"{name}\" which has no default value."]} if {
	mode != "ensureValid"
}

_default_list(row) := null if row["default"] == null

_default_list(row) := split_text(row["default"]) if row["default"] != null

# Only `parse` drops duplicates, and only of keys with a ValidList.
_deduplicated_values(row, list, mode) := distinct(list) if {
	mode == "parse"
	is_array(list)
	_has_valid_list_validator(row)
} else := list

# Where Kafka's parse has failed it stops; its validate asks the validator all the same, about null.
_validation_messages(row, name, values, found, mode) := refusals(row, name, values) if {
	not found.errors
} else := refusals(row, name, values) if {
	mode == "validate"
} else := []

# METADATA
# description: |
#   What ConfigDef.ValidList.ensureValid says to a list or null, as a list of one message or none: its checks run in
#   this order and the first failure wins. A row with another validator has nothing to say here.
refusals(row, name, values) := [message | message := _refusal(row, name, values).message]

# METADATA
# description: As `refusals`, the one {kind, message}; undefined where the value is taken.
_refusal(row, name, values) := {"kind": kind, "message": message} if {
	_has_valid_list_validator(row)
	[kind, message] := _first_failure(row, name, values)
}

_first_failure(row, name, null) := ["null", $"Configuration '{name}' values must not be null."] if not row.isNullAllowed

_first_failure(row, name, values) := ["empty", message] if {
	values == []
	not row.isEmptyAllowed
	message := $"Configuration '{name}' must not be empty. Valid values include: {_valid_strings_text(row)}"
} else := ["null", message] if {
	null in values
	message := $"Configuration '{name}' has a null among its values, at which Kafka fails with a NullPointerException."
} else := ["duplicate", $"Configuration '{name}' values must not be duplicated."] if {
	has_duplicates(values)
} else := _member_failure(row, name, wrong[0]) if {
	wrong := [value | some value in values; is_string(value); not _is_valid_string(row, value)]
	wrong != []
}

_valid_strings_text(row) := "any non-empty value" if {
	row.validStrings == []
} else := $"[{concat(", ", row.validStrings)}]"

_is_valid_string(row, value) if {
	value != ""
	row.validStrings == []
}

_is_valid_string(row, value) if {
	value != ""
	value in row.validStrings
}

_member_failure(_, name, "") := ["emptyMember", $"Configuration '{name}' values must not be empty."]

_member_failure(row, name, value) := ["member", _member_error_message(row, name, value)] if value != ""

# The warning that Kafka logs when it drops duplicates.
_duplicate_warnings(name, read, values) := [concat("", [
	$"Configuration key \"{name}\" contains duplicate values. Duplicates will be removed. ",
	$"The original value is: {_list_text(read)}, the updated value is: {_list_text(values)}",
])] if {
	read != values
} else := []

_list_text(list) := $"[{concat(", ", [string_form(item) | some item in list])}]"

_has_valid_list_validator(row) if is_boolean(row.isEmptyAllowed)
