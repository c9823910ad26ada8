package checks.state_test

import data.checks.state

_site_reads(sources) := reads if {
	reads := state.site_reads with input as {"modules": sources}
}

_module(name, body) := concat("\n\n", [concat(" ", ["package", name]), body])

test_what_a_package_of_a_site_reads[body] if {
	some body, paths in {
		`deny contains 1 if input.requested.configs.x`: [["requested", "configs", "x"]],
		`deny contains 1 if input.requested.configs[x]`: [["requested", "configs"]],
		`deny contains 1 if input.principal.name == "a"`: [["principal", "name"]],
		`deny contains 1 if input.operation == "AlterTopic"`: [],
		`deny contains 1 if input[x]`: [[]],
		`deny contains 1 if f(input)`: [[]],
		`deny contains 1 if data.site.helper.a`: [["labels"]],
		`deny contains 1 if data.kafka.lib.a`: [[]],
	}
	[paths] == [reads |
		reads := _site_reads({
			"a.rego": _module("site.rules.acme", body),
			"helper.rego": _module("site.helper", "a if input.labels"),
			"kafka/lib/lib.rego": _module("kafka.lib", "a if input.change.after"),
		}).acme
	]
}

test_packages_of_several_files if {
	{"acme": [["labels"], ["topic"]], "other": [["acl"]]} == _site_reads({
		"a.rego": _module("site.rules.acme", "deny contains 1 if input.topic"),
		"b.rego": _module("site.rules.acme", "deny contains 2 if input.labels"),
		"c.rego": _module("site.rules.other", "deny contains 3 if input.acl"),
	})
}
