package system.authz

# METADATA
# description: The entry points of the contract, and the methods that make sense for each.
_entrypoints := {
	["catalog", "revision"]: {"GET", "POST"},
	["catalog", "rules"]: {"GET", "POST"},
	["io", "k8s", "federation", "admission"]: {"POST"},
	["io", "k8s", "federation", "admissions"]: {"POST"},
	["io", "k8s", "federation", "annotations"]: {"POST"},
	["io", "k8s", "federation", "index"]: {"POST"},
	["io", "k8s", "federation", "placement"]: {"POST"},
	["io", "k8s", "federation", "remediation"]: {"POST"},
	["io", "k8s", "federation", "remediations"]: {"POST"},
	["io", "k8s", "federation", "render", "rendered"]: {"POST"},
	["kafka", "applicable_rules"]: {"POST"},
	["kafka", "audit_parts", "names"]: {"POST"},
	["kafka", "audit_parts", "plan"]: {"POST"},
	["kafka", "change_dates"]: {"POST"},
	["kafka", "changes", "classes"]: {"POST"},
	["kafka", "clients", "accepted"]: {"POST"},
	["kafka", "clients", "effective"]: {"POST"},
	["kafka", "configs", "change"]: {"POST"},
	["kafka", "decision"]: {"POST"},
	["kafka", "decisions"]: {"POST"},
	["kafka", "dependencies", "found"]: {"POST"},
	["kafka", "lists", "check"]: {"POST"},
	["kafka", "lists", "upgrade"]: {"POST"},
	["kafka", "required_state"]: {"POST"},
}

_may(role) if {
	role in {"query", "replicator"}
	["v1", "data"] == array.slice(input.path, 0, 2)
	input.method in _entrypoints[array.slice(input.path, 2, count(input.path))]
}

# What a scan finds out of a site's own rules, before it remembers what they decide.
_may("query") if {
	input.method == "GET"
	input.path in {["v1", "data", "site"], ["v1", "policies"]}
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

_replicated := {"clusters", "kubernetes"}
