package checks.site_test

import data.checks.site

_foreign_here(name) := $"package {name} is not for ConfigMaps: use site.placement or site.placement.NAME"

test_which_modules_of_config_maps_are_taken[note] if {
	some note, case in {
		"placement of all": ["package site.placement", set()],
		"placement of a team": ["package site.placement.payments", set()],
		"rules about Kafka": ["package site.rules.acme", {_foreign_here("site.rules.acme")}],
		"helpers": ["package site.lib", {_foreign_here("site.lib")}],
		"a foreign one": ["package system.authz", {_foreign_here("system.authz")}],
		"too deep": ["package site.placement.a.b", {concat("", [
			"nothing evaluates package site.placement.a.b: use site.placement.NAME, ",
			"and another name below site for helpers",
		])}],
		"what cannot be parsed is the compiler's": ["package", set()],
	}
	found := site.config_map_problems with input as {"modules": {"a.rego": case[0]}}
	found == {["a.rego", problem] | some problem in case[1]}
}
