package kafka.configs

import data.kafka.lists

# METADATA
# description: |
#   The number that a string holds to Integer.parseInt once ConfigDef has trimmed it; undefined where it holds none. A
#   digit of any script counts (`data.catalog.digits`). A spelling that JSON lacks ("007", "+7") must not reach
#   to_number: its result could not be written out again.
int32(text) := number if {
	number := _whole_number(text)
	number >= -2147483648
	number <= 2147483647
}

# METADATA
# description: As `int32`, to Short.parseShort.
int16(text) := number if {
	number := _whole_number(text)
	number >= -32768
	number <= 32767
}

# METADATA
# description: As `int32`, to Long.parseLong.
int64(text) := number if {
	number := _whole_number(text)
	number >= -9223372036854775808
	number <= 9223372036854775807
}

_whole_number(text) := to_number(text) if {
	regex.match(`^(0|-?[1-9][0-9]*)$`, text)
} else := to_number(object.get({"-0": "0"}, concat("", [sign, digits]), concat("", [sign, digits]))) if {
	plain := strings.replace_n(data.catalog.digits.ascii, lists.trimmed(text))
	[[_, sign, digits]] := regex.find_all_string_submatch_n(`^(?:\+|(-))?0*([0-9]+)$`, plain, 1)
}
