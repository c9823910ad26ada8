package kafka.lists

# What ConfigDef.parseType makes of a value: {"list": …} with a list or null, or {"error": …}. A string is trimmed as
# Java's String.trim does it (all characters up to the space), then split at commas with the white space of a Java
# pattern around them; trailing empty pieces stay. A list is taken as it is.
_list_or_error(name, value) := {"list": split_text(value)} if {
	is_string(value)
} else := {"list": value} if {
	type_name(value) in {"array", "null"}
} else := {"error": $"Invalid value {json.marshal(value)} for configuration {name}: Expected a comma separated list."}

# METADATA
# description: The list that a string is to Kafka.
split_text(text) := split(text, ",") if {
	regex.match(`^[^\x00-\x20]+$`, text)
} else := [] if {
	trimmed(text) == ""
} else := regex.split(`[ \t\n\x0b\f\r]*,[ \t\n\x0b\f\r]*`, trimmed(text))

# METADATA
# description: A text without what Java's String.trim takes off its ends, all characters up to the space.
trimmed(text) := trim(text, _java_trim_characters)

_java_trim_characters := "\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\u0009\u000a\u000b\u000c\u000d\u000e\u000f\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f\u0020"

# METADATA
# description: A text as it is, and of anything else its JSON.
# scope: document
string_form(value) := value if is_string(value)

string_form(value) := json.marshal(value) if not is_string(value)

# METADATA
# description: A list without what it has already, the first of each kept; null is null.
distinct(list) := list if {
	not has_duplicates(list)
} else := [item | some i, item in list; not item in array.slice(list, 0, i)]

# METADATA
# description: Whether a list has something twice.
has_duplicates(list) if count(list) != count({item | some item in list})
