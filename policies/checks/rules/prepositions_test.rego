package checks.rules_test

_prepositional(file, source) := {message |
	some message in _messages(object.union(_good, {"modules": {file: rego.parse_module(file, source)}}))
	contains(message, "preposition")
}

test_a_rule_is_called_what_it_gives[name] if {
	some name in {
		"site_violations",
		"_values_in_force",
		"offsets",
		"inherited",
		"_format",
		"byte_rate",
		"_onward",
		"from_text",
		"_with_values",
		"_without_duplicates",
		"to_text",
	}
	_prepositional("kafka/lists/lists.rego", $"package kafka.lists\n\n{name} := 1") == set()
}

test_a_rule_that_begins_with_a_preposition[source] if {
	some source, name in {
		"of_site := 1": "of_site",
		"_in_force(name) := data.values[name]": "_in_force",
		"__by_name[name] := 1 if some name in input.names": "__by_name",
		"_for_all contains name if some name in input.names": "_for_all",
		"_at_most := 1": "_at_most",
		"default on_request := 1": "on_request",
	}
	some file, package_name in {"lists.rego": "kafka.lists", "lists_test.rego": "kafka.lists_test"}
	message := $"{name} begins with a preposition: call it what it gives"
	_prepositional($"kafka/lists/{file}", $"package {package_name}\n\n{source}") == {message}
}

test_a_rule_that_says_what_is_not_so[file] if {
	some file, problems in {
		"lists.rego": {"_not_lists says what is not so: call it what it gives"},
		"lists_test.rego": set(),
	}
	source := $"package kafka.{trim_suffix(file, ".rego")}\n\n_not_lists := 1\n\n_note := 1"
	document := object.union(_good, {"modules": {$"kafka/lists/{file}": rego.parse_module(file, source)}})
	problems == {message | some message in _messages(document); contains(message, "not so")}
}
