package kafka.configs

import data.kafka.lists

# METADATA
# description: |
#   As `int32`, to Double.parseDouble. What JSON has no number for is one of the strings NaN, Infinity and -Infinity.
float64(text) := to_number(text) if {
	regex.match(`^(0|-?[1-9][0-9]{0,14})(\.[0-9]{1,15})?$`, text)
} else := _double_from_decimal(parts) if {
	pattern := `^(?:\+|(-))?([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?[dDfF]?$`
	[[_, sign, whole, fraction, exponent]] := regex.find_all_string_submatch_n(pattern, lists.trimmed(text), 1)
	parts := {"sign": sign, "whole": whole, "fraction": fraction, "exponent": exponent}
	concat("", [whole, fraction]) != ""
} else := _double_from_hexadecimal(parts) if {
	pattern := `^(?:\+|(-))?0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)[dDfF]?$`
	[[_, sign, whole, fraction, exponent]] := regex.find_all_string_submatch_n(pattern, lists.trimmed(text), 1)
	parts := {"sign": sign, "whole": whole, "fraction": fraction, "exponent": exponent}
	concat("", [whole, fraction]) != ""
} else := {
	"NaN": "NaN", "+NaN": "NaN", "-NaN": "NaN",
	"Infinity": "Infinity", "+Infinity": "Infinity", "-Infinity": "-Infinity",
}[lists.trimmed(text)]

# The number's magnitude says what it is before anybody calculates: nothing here grows with the exponent.
_double_from_decimal(parts) := 0 if {
	digits := trim_left(concat("", [parts.whole, parts.fraction]), "0")
	true in [digits == "", _point_index(digits, parts, 1) < -330]
} else := to_number(sprintf("%v", [to_number(concat("", [parts.sign, "0.", digits, "e", format_int(point, 10)]))])) if {
	digits := trim_left(concat("", [parts.whole, parts.fraction]), "0")
	point := _point_index(digits, parts, 1)
	point < 330
} else := concat("", [parts.sign, "Infinity"])

_double_from_hexadecimal(parts) := 0 if {
	digits := trim_left(lower(concat("", [parts.whole, parts.fraction])), "0")
	true in [digits == "", _point_index(digits, parts, 4) < -1080]
} else := number if {
	digits := trim_left(lower(concat("", [parts.whole, parts.fraction])), "0")
	point := _point_index(digits, parts, 4)
	point < 1028
	signed := _factor_by_sign[parts.sign] * _hexadecimal_number(digits)
	number := to_number(sprintf("%v", [signed * _power_of_two(point - (4 * count(digits)))]))
	abs(number) < _overflow_limit
} else := concat("", [parts.sign, "Infinity"])

# Where the point lies right of the first digit, in digits or, of hexadecimal ones, in bits.
_point_index(digits, parts, size) := (size * (count(digits) - count(parts.fraction))) + _clamped_integer(parts.exponent)

_clamped_integer("") := 0

_clamped_integer(text) := max([-100000, min([to_number(concat("", [sign, digits])), 100000])]) if {
	[[_, sign, digits]] := regex.find_all_string_submatch_n(`^(?:\+|(-))?0*([0-9]{1,9})$`, text, 1)
} else := 100000 if {
	not startswith(text, "-")
	text != ""
} else := -100000 if {
	startswith(text, "-")
}

_factor_by_sign := {"": 1, "-": -1}

# Halfway between the largest double and the next power of two, from where on Java rounds to infinity.
_overflow_limit := bits.lsh(1, 1024) - bits.lsh(1, 970)

_hexadecimal_number(digits) := sum([bits.lsh(indexof("0123456789abcdef", digit), 4 * (count(digits) - (i + 1))) |
	some i, digit in split(digits, "")
])

_power_of_two(exponent) := bits.lsh(1, exponent) if exponent >= 0

_power_of_two(exponent) := 1 / bits.lsh(1, 0 - exponent) if exponent < 0
