package kafka.configs

import data.kafka.base.errors

# METADATA
# description: |
#   The refusal of values that are too long for a controller, among those that a change from `before` makes `after`
#   (ConfigurationControlManager.validateAlterConfig, 4.3). No request can carry such a value: only APPEND makes one.
too_long(before, after) := {errors.new("INVALID_CONFIG", message) |
	longest := data.catalog.limits.configValue
	count(json.marshal(after)) * 2 > longest # nearly no request is that long as a whole
	some name, text in after
	count(text) * 2 > longest # a character has one unit of Java's or two, so that nothing shorter is too long
	text != object.get(before, name, null)
	_utf16_length(text) > longest
	message := concat("", [
		"The configuration value cannot be added because it exceeds the maximum value size of ",
		$"{longest} bytes.",
	])
}

# Java's String.length, whatever the message says of bytes.
_utf16_length(text) := count(text) + count(regex.find_n(`[\x{10000}-\x{10ffff}]`, text, -1))
