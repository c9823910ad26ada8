package kafka.configs

# What the validator of a catalogue's row says of a value, null where the text cannot be read (ConfigDef.parseType).
_value_problem(row, null) := $"Not a number of type {upper(row.type)}" if {
	row.type in {"short", "int", "long", "double"}
}

_value_problem(row, null) := "Expected value to be either true or false" if row.type == "boolean"

_value_problem(row, value) := $"Value must be at least {row.min}" if {
	_is_below(value, row.min)
	not row.or
} else := $"Value must be no more than {row.max}" if {
	_is_above(value, row.max)
	not row.or
} else := $"Value must be between {row.min} and {row.max} or equal to {row.or}" if {
	is_number(value)
	value != row.or
	max([row.min, min([value, row.max])]) != value
} else := $"String must be one of: {concat(", ", row.validStrings)}" if {
	is_string(value)
	not value in row.validStrings
}

_value_problem(row, "") := "String must be non-empty" if row.valid == "non-empty string"

# Which classes there are, only a broker knows; that some text names none, everybody.
_value_problem(row, value) := $"Class {value} could not be found." if {
	row.type == "class"
	not regex.match(`^[\p{L}_$][\p{L}\p{N}_$]*([.][\p{L}_$][\p{L}\p{N}_$]*)*$`, value)
}

# ThrottledReplicaListValidator
_value_problem(row, value) := concat("", [
	"{name} must be the literal '*' or a list of replicas in the following format: ",
	row.valid,
]) if {
	is_array(value)
	startswith(row.valid, "[partitionId]:[brokerId]")
	value != ["*"]
	some part in value
	not regex.match(`^([0-9]+:[0-9]+)?$`, part)
}

_is_below("-Infinity", _)

_is_below(value, least) if {
	is_number(value)
	value < least
}

_is_above("Infinity", _)

_is_above(value, most) if {
	is_number(value)
	value > most
}

# A value as Java prints it: what could not be read as it was written, all else as it was read.
_java_value_text(_, text, null) := text

_java_value_text("class", text, value) := text if value != null

_java_value_text("list", _, value) := $"[{concat(", ", value)}]" if is_array(value)

_java_value_text("double", _, value) := java_double(value) if value != null

_java_value_text(type, _, value) := $"{value}" if {
	not type in {"class", "double", "list"}
	value != null
}

# METADATA
# description: A double as Java's Double.toString prints it, a string as it is.
# scope: document
java_double(value) := value if is_string(value)

java_double(value) := concat("", [sign, mantissa]) if {
	[sign, digits, exponent] := _scientific_parts(value)
	exponent >= -3
	exponent < 7
	mantissa := _plain_notation(digits, exponent)
} else := $"{sign}{substring(digits, 0, 1)}.{_digits_or_zero(substring(digits, 1, -1))}E{exponent}" if {
	[sign, digits, exponent] := _scientific_parts(value)
}

# Sign, digits without noughts around, and the exponent of the first: what Go prints, shortest first, has all of these.
_scientific_parts(value) := [sign, digits, exponent] if {
	[[_, sign, whole, fraction, written]] := regex.find_all_string_submatch_n(
		`^(-?)([0-9]+)\.?([0-9]*)(?:e([+-][0-9]+))?$`,
		sprintf("%v", [value]), 1,
	)
	both := concat("", [whole, fraction])
	significant := trim_left(both, "0")
	digits := _digits_or_zero(trim_right(significant, "0"))
	leading := count(both) - count(significant)
	exponent := object.get({"0": 0}, digits, ((count(whole) + _clamped_integer(written)) - leading) - 1)
}

_plain_notation(digits, exponent) := $"{padded}.{_digits_or_zero(substring(digits, exponent + 1, -1))}" if {
	exponent >= 0
	padded := substring(concat("", [digits, "0000000"]), 0, exponent + 1)
} else := concat("", ["0.", substring("000", 0, (0 - exponent) - 1), digits])

_digits_or_zero("") := "0"

_digits_or_zero(digits) := digits if digits != ""
