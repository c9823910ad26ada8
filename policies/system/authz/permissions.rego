package system.authz

# METADATA
# description: What the bearer of each role's token may ask OPA, by method and path.
# scope: document
_may(role) if {
	role in {"query", "replicator"}
	["v1", "data"] == array.slice(input.path, 0, 2)
	input.method in entry_points[array.slice(input.path, 2, count(input.path))].methods
}

_may("query") if {
	input.method == "GET"
	input.path in _site_rules
}

# A JSON patch cannot leave the document its URL names, so the URL alone decides. Empty and dotted segments are refused,
# so that no router on the way can make another path of it.
_may("replicator") if {
	["v1", "data"] == array.slice(input.path, 0, 2)
	input.method in {"DELETE", "GET", "PATCH", "PUT"}
	input.path[2] in _replicated
	every segment in input.path { not segment in {"", ".", ".."} }
}

_may("admin") if {
	input.method == "GET"
	input.path in {["metrics"], ["v1", "config"], ["v1", "status"]}
}

_may("admin") if {
	input.method == "GET"
	array.slice(input.path, 0, 2) in {["v1", "data"], ["v1", "policies"]}
}

# The policies of ConfigMaps come as a bundle, which OPA fetches: whoever serves it sees whether OPA has it.
_may("policies") if {
	input.method == "GET"
	input.path == ["v1", "data", "site", "loaded"]
}

_replicated := {"clusters", "kubernetes"}

# What a scan finds out of a site's own rules, before it remembers what they decide.
_site_rules := {["v1", "data", "site"], ["v1", "policies"]}

# Callers that the settings name: what their entry points are, and what they may state there.
_may_ask(caller) if {
	_is_entry_point
	_lists(caller)
	_is_believed(caller)
}

_may_ask(caller) if {
	caller.kind == "trusted"
	caller.entryPoints == null
	input.method == "GET"
	input.path in _site_rules
}

_is_entry_point if {
	["v1", "data"] == array.slice(input.path, 0, 2)
	input.method in entry_points[_entry_point].methods
}

_entry_point := array.slice(input.path, 2, count(input.path))

_lists(caller) if caller.entryPoints == null

_lists(caller) if concat("/", _entry_point) in caller.entryPoints

_is_believed(caller) if caller.kind == "trusted"

_is_believed(caller) if {
	caller.kind == "untrusted"
	stated := _stated(entry_points[_entry_point].states, caller)
	every document in stated { not problem(caller, document) }
}
