package kafka.configs

# METADATA
# description: |
#   The number that a string holds to Integer.parseInt, whatever white space is around it; undefined where it holds
#   none. A spelling that JSON lacks ("007", "+7") must not reach to_number: its result could not be written out again.
int32(text) := number if {
	number := _whole(text)
	number >= -2147483648
	number <= 2147483647
}

# METADATA
# description: As `int32`, to Short.parseShort.
int16(text) := number if {
	number := _whole(text)
	number >= -32768
	number <= 32767
}

# METADATA
# description: As `int32`, to Long.parseLong.
int64(text) := number if {
	number := _whole(text)
	number >= -9223372036854775808
	number <= 9223372036854775807
}

# METADATA
# description: |
#   As `int32`, to Double.parseDouble, without its hexadecimal numbers, NaN and Infinity; no config takes those.
float64(text) := to_number(text) if {
	regex.match(`^(0|-?[1-9][0-9]*)(\.[0-9]+)?$`, text)
} else := to_number(concat("", [sign, _or_zero(trim_left(digits, "0")), ".", _or_zero(fraction), exponent])) if {
	pattern := `^\s*(?:\+|(-))?([0-9]*)\.?([0-9]*)([eE][+-]?[0-9]+)?[dDfF]?\s*$`
	[[_, sign, digits, fraction, exponent]] := regex.find_all_string_submatch_n(pattern, text, 1)
	concat("", [digits, fraction]) != ""
}

_whole(text) := to_number(text) if {
	regex.match(`^(0|-?[1-9][0-9]*)$`, text)
} else := to_number(concat("", [sign, digits])) if {
	[[_, sign, digits]] := regex.find_all_string_submatch_n(`^\s*(?:\+|(-))?0*([0-9]+)\s*$`, text, 1)
}

_or_zero("") := "0"

_or_zero(digits) := digits if digits != ""
