package system.authz

# METADATA
# description: What the bearer of each role's token may ask OPA, by method and path.
# scope: document
_is_permitted(role) if {
	role in {"query", "replicator"}
	["v1", "data"] == array.slice(input.path, 0, 2)
	input.method in entry_points[array.slice(input.path, 2, count(input.path))].methods
}

_is_permitted("query") if {
	input.method == "GET"
	input.path in _site_rule_paths
}

# A JSON patch cannot leave the document its URL names, so the URL alone decides. Empty and dotted segments are refused,
# so that no router on the way can make another path of it.
_is_permitted("replicator") if {
	["v1", "data"] == array.slice(input.path, 0, 2)
	input.method in {"DELETE", "GET", "PATCH", "PUT"}
	input.path[2] in _replicated_roots
	every segment in input.path { not segment in {"", ".", ".."} }
}

_is_permitted("admin") if {
	input.method == "GET"
	input.path in {["metrics"], ["v1", "config"], ["v1", "status"]}
}

_is_permitted("admin") if {
	input.method == "GET"
	array.slice(input.path, 0, 2) in {["v1", "data"], ["v1", "policies"]}
}

# The policies of ConfigMaps come as a bundle, which OPA fetches: whoever serves it sees whether OPA has it.
_is_permitted("policies") if {
	input.method == "GET"
	input.path == ["v1", "data", "site", "loaded"]
}

_replicated_roots := {"clusters", "kubernetes"}

# What a scan finds out of a site's own rules, before it remembers what they decide.
_site_rule_paths := {["v1", "data", "site"], ["v1", "policies"]}

# Callers that the settings name: what their entry points are, and what they may state there.
_can_ask(caller) if {
	_is_entry_point_request
	_has_entry_point(caller)
	_is_believed(caller)
}

_can_ask(caller) if {
	caller.kind == "trusted"
	caller.entryPoints == null
	input.method == "GET"
	input.path in _site_rule_paths
}

_is_entry_point_request if {
	["v1", "data"] == array.slice(input.path, 0, 2)
	input.method in entry_points[_entry_point].methods
}

_entry_point := array.slice(input.path, 2, count(input.path))

_has_entry_point(caller) if caller.entryPoints == null

_has_entry_point(caller) if concat("/", _entry_point) in caller.entryPoints

_is_believed(caller) if caller.kind == "trusted"

_is_believed(caller) if {
	caller.kind == "untrusted"
	stated := _stated_documents(entry_points[_entry_point].states, caller)
	every document in stated { not problem(caller, document) }
}
