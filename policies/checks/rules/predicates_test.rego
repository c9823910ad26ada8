package checks.rules_test

# What the names of rules alone make of a file, which the other checks look at as well.
_misnamed(file, source) := {message |
	some message in _messages(object.union(_good, {"modules": {file: rego.parse_module(file, source)}}))
	contains(message, "says yes or no")
}

test_a_predicate_says_so[source] if {
	some source in {
		"is_known(name) if name in data.names",
		"_is_known(\"a\")",
		"__has_names if input.names",
		"_are_known if every name in input.names { name in data.names }",
		"can_ask if input.caller",
		# What is no predicate has any name.
		"default known := false",
		"known := true",
		"_known(null) := true",
		"known contains true",
		"known[name] if some name in input.names",
		"known := 1 if input.known",
	}
	_misnamed("kafka/lists/lists.rego", $"package kafka.lists\n\n{source}") == set()
}

test_a_predicate_that_does_not_say_so[source] if {
	some source, name in {
		"known if input.known": "known",
		"known(name) if name in data.names": "known",
		"_known(\"a\")": "_known",
		"_fits(name) if { name in data.names } else := false": "_fits",
		"isolated if input.isolated": "isolated",
		"not_is_known if input.unknown": "not_is_known",
	}
	message := $"{name} says yes or no: begin it with are_, can_, has_, is_"
	_misnamed("kafka/lists/lists.rego", $"package kafka.lists\n\n{source}") == {message}
}

test_what_opa_asks_for_has_opas_name if {
	source := "package system.log\n\ndrop if input.path"
	_misnamed("system/log/drop.rego", source) == set()
	_misnamed("system/other/drop.rego", replace(source, "system.log", "system.other")) != set()
	_misnamed("system/log/drop.rego", replace(source, "drop if", "dropped if")) != set()
	_misnamed("system/log/drop_test.rego", "package system.log_test\n\nx if true") == set()
}
