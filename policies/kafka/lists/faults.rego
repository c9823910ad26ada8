package kafka.lists

# METADATA
# description: |
#   What speaks against a value that somebody sets or has set, a string or null: {kind, message} with kind null, empty,
#   member, emptyMember or duplicate. Kafka's parse drops duplicates before it validates the rest, so they are a fault
#   of their own here.
faults(row, name, value) := refusals | _duplicate_faults(row, name, read) if {
	read := _list_or_error(name, value).list
	refusals := {fault | fault := _refusal(row, name, distinct(read))}
}

_duplicate_faults(row, name, read) := {{"kind": "duplicate", "message": message}} if {
	is_array(read)
	_has_valid_list_validator(row)
	has_duplicates(read)
	message := $"Configuration '{name}' values must not be duplicated."
} else := set()

# METADATA
# description: The warning that Kafka logs when it drops the duplicates of a value.
duplicates_warning(name, value) := _duplicate_warnings(name, read, distinct(read))[0] if {
	read := _list_or_error(name, value).list
}

# METADATA
# description: A value without its duplicates, as a string.
without_duplicates(name, value) := concat(",", distinct(_list_or_error(name, value).list))

# METADATA
# description: The values that a row allows, in words.
valid_words(row) := _valid_strings_text(row)

# ConfigDef.ValidList before KIP-1161 looks at the values, and at nothing else.
_refusal(row, name, values) := {"kind": "member", "message": message} if {
	row.kind == "old in"
	wrong := [value | some value in values; not value in row.validStrings]
	message := _member_error_message(row, name, wrong[0])
}

_member_error_message(row, name, value) := concat("", [
	$"Invalid value {value} for configuration {name}: ",
	$"String must be one of: {concat(", ", row.validStrings)}",
])
