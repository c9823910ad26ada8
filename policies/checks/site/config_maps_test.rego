package checks.site_test

import data.checks.site

_namespaces := {"all": "fleet", "shop": "namespace"}

_reads := {
	"fleet": [["site", "placement"], ["site", "configmaps"], ["kubernetes"], ["catalog", "placement"]],
	"namespace": [["site", "tenants", "*"], ["site", "configmaps", "*"]],
	"none": [],
}

_found_of(namespace, source) := {problem | some [_, problem] in found} if {
	path := $"configmaps/{namespace}/a/a.rego"
	found := site.config_map_problems with input as {"modules": {path: source}, "namespaces": _namespaces}
		with data.catalog.placement.policyReads as _reads
}

_foreign_here(name) := $"package {name} is not for ConfigMaps: use site.placement or site.placement.NAME"

_foreign_in(name) := concat("", [
	$"package {name} is not for ConfigMaps of namespace shop: ",
	`use site.tenants["shop"] or site.tenants["shop"].NAME`,
])

test_which_packages_of_config_maps_are_taken[note] if {
	some note, case in {
		"placement of all": ["all", "package site.placement", set()],
		"placement of a team": ["all", "package site.placement.payments", set()],
		"rules about Kafka": ["all", "package site.rules.acme", {_foreign_here("site.rules.acme")}],
		"helpers": ["all", "package site.lib", {_foreign_here("site.lib")}],
		"a foreign one": ["all", "package system.authz", {_foreign_here("system.authz")}],
		"too deep": ["all", "package site.placement.a.b", {_foreign_here("site.placement.a.b")}],
		"a tenant's, of all": ["all", "package site.tenants.shop", {_foreign_here("site.tenants.shop")}],
		"a tenant's": ["shop", "package site.tenants.shop", set()],
		"of a tenant's team": ["shop", "package site.tenants.shop.team", set()],
		"another tenant's": ["shop", "package site.tenants.pay", {_foreign_in("site.tenants.pay")}],
		"of all, by a tenant": ["shop", "package site.placement.evil", {_foreign_in("site.placement.evil")}],
		"all tenants', by a tenant": ["shop", "package site.tenants", {_foreign_in("site.tenants")}],
		"what cannot be parsed is the compiler's": ["shop", "package", set()],
	}
	case[2] == _found_of(case[0], case[1])
}

test_a_namespace_that_is_not_listed_has_no_package if {
	found := _found_of("third", "package site.placement")
	count(found) == 1
}

test_about_is_never_missing_in_a_config_map if {
	{_about_here} == _found_of("shop", "package site.tenants.shop\nabout if input.kind == \"x\"")
}

_about_here := "about: write `about contains \"why\" if …`, which is empty where nothing matches, not missing"

_read_error(name) := concat("", [
	$"{name} is not for ConfigMaps of namespace shop: ",
	"read below data.site.configmaps.shop, data.site.tenants.shop",
])

# What a tenant reads, in whatever way it is written.
test_what_a_tenant_may_read[note] if {
	some note, case in {
		"the object": ["errors contains input.metadata.name", set()],
		"its own rules": ["errors contains data.site.tenants.shop.team.x", set()],
		"its own data": ["errors contains data.site.configmaps.shop[_].a", set()],
		"clusters": ["errors contains json.marshal(data.kubernetes.clusters)", {_read_error("data.kubernetes.clusters")}],
		"another's data": ["errors contains data.site.configmaps.pay.a", {_read_error("data.site.configmaps.pay.a")}],
		"data of whom it finds": ["errors contains x if x := data.site.configmaps[_]", {_read_error("data.site.configmaps")}],
		"by a name that is computed": ["errors contains data[input.kind]", {_read_error("data")}],
		"all": ["errors contains data", {_read_error("data")}],
		"all, in a call": ["errors contains walk(data)", {_read_error("data")}],
		"all, in an array": ["errors contains x if x := [1, data]", {_read_error("data")}],
		"all, in an object": ["errors contains x if x := {\"a\": data}", {_read_error("data")}],
		"all, in a comprehension": ["errors contains x if x := [y | y := data]", {_read_error("data")}],
		"in a text": ["errors contains x if x := $\"{data.settings}\"", {_read_error("data.settings")}],
		"in every": ["errors contains 1 if every x in data.clusters { x }", {_read_error("data.clusters")}],
		"in some": ["errors contains x if some x in data.clusters", {_read_error("data.clusters")}],
		"in a head": ["f(data.clusters) := 1", {_read_error("data.clusters")}],
		"in an index": ["errors contains input[data.clusters.x]", {_read_error("data.clusters.x")}],
		"in else": ["x := 1 if { input.y } else := data.clusters", {_read_error("data.clusters")}],
		"by import": ["import data.kubernetes.clusters as c\nerrors contains c.x", {_read_error("data.kubernetes.clusters")}],
		"a value of with": [
			"errors contains 1 if input.x with input.x as data.clusters",
			{_read_error("data.clusters")},
		],
		"the function of another": ["errors contains data.site.tenants.pay.f(1)", {_read_error("data.site.tenants.pay.f")}],
		"with another input": ["errors contains 1 if input.x with input as {}", set()],
		"with other data": ["errors contains 1 if input.x with data.site.tenants.shop.x as 1", {_with_error("data")}],
		"with another function": ["errors contains 1 if input.x with time.now_ns as 1", {_with_error("time")}],
		"with a function of one word": [
			"f(_) := 1\nerrors contains 1 if count(input.x) > 0 with count as f",
			{_with_error("count")},
		],
	}
	case[1] == _found_of("shop", concat("\n", ["package site.tenants.shop", case[0]]))
}

_with_error(name) := $"with {name} is not for ConfigMaps: use with input alone"

test_what_policies_about_all_may_read[note] if {
	some note, case in {
		"clusters": ["data.kubernetes.clusters", 0],
		"data of all": ["data.site.configmaps[_].a", 0],
		"the catalogue": ["data.catalog.placement.jurisdictions", 0],
		"tokens": ["data.settings.compiled.callers", 1],
		"rules that read these": ["data.io.k8s.federation.admission", 1],
		"what a tenant says": ["data.site.tenants.shop.errors", 1],
		"Kafka": ["data.clusters", 1],
	}
	found := _found_of("all", $"package site.placement\nerrors contains {case[0]}")
	case[1] == count(found)
}

test_what_cannot_be_read if {
	modules := {"configmaps/all/a/a.rego": "package", "configmaps/all/b/b.rego": "package site.placement"}
	{"configmaps/all/a/a.rego"} == site.config_map_unread with input as {"modules": modules, "namespaces": _namespaces}
}

test_where_rules_are_defined if {
	modules := {
		"configmaps/all/a/a.rego": "package site.placement\nf(_) := 1\ndefault x := 1",
		"configmaps/all/b/b.rego": "package site.placement\nf(_, _) := 1\nz.y := 2",
	}
	found := site.config_map_rules with input as {"modules": modules, "namespaces": _namespaces}
	found == {
		"data.site.placement.f": {"configmaps/all/a/a.rego", "configmaps/all/b/b.rego"},
		"data.site.placement.x": {"configmaps/all/a/a.rego"},
		"data.site.placement.z.y": {"configmaps/all/b/b.rego"},
	}
}
