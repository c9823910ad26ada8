package kafka.lists

# What ConfigDef.parseType makes of a value: {"list": …} with a list or null, or {"error": …}. A string is trimmed as
# Java's String.trim does it (all characters up to the space), then split at commas with the white space of a Java
# pattern around them; trailing empty pieces stay. A list is taken as it is.
_read(name, value) := {"list": split_text(value)} if {
	is_string(value)
} else := {"list": value} if {
	type_name(value) in {"array", "null"}
} else := {"error": $"Invalid value {json.marshal(value)} for configuration {name}: Expected a comma separated list."}

# METADATA
# description: The list that a string is to Kafka.
split_text(text) := [] if {
	trim(text, _blanks) == ""
} else := split(trimmed, ",") if {
	trimmed := trim(text, _blanks)
	not regex.match(`[ \t\n\x0b\f\r]`, trimmed)
} else := regex.split(`[ \t\n\x0b\f\r]*,[ \t\n\x0b\f\r]*`, trim(text, _blanks))

_blanks := concat("", [char |
	some code in numbers.range(0, 32)
	char := json.unmarshal(sprintf(`"\u%04x"`, [code]))
])

# METADATA
# description: A list without what it has already, the first of each kept; null is null.
distinct(list) := list if {
	not has_duplicates(list)
} else := [item | some i, item in list; not item in array.slice(list, 0, i)]

# METADATA
# description: Whether a list has something twice.
has_duplicates(list) if count(list) != count({item | some item in list})
