package system.authz_test

import data.system.authz

_runtime := {"env": {
	"WARDEN_OPA_ADMIN_TOKEN": "a",
	"WARDEN_OPA_POLICIES_TOKEN": "p",
	"WARDEN_OPA_QUERY_TOKEN": "q",
	"WARDEN_OPA_REPLICATOR_TOKEN": "r",
}}

_no_token := concat(" ", [
	"no valid token; send the query, replicator, policies or admin token",
	"in the header Authorization, as Bearer",
])

_request(method, path, token) := {"method": method, "path": split(path, "/"), "params": {}, "identity": token}

# The tokens for which OPA would let a request through; "x" is nobody's.
_may(method, path) := {token |
	some token in ["q", "r", "p", "a", "x", ""]
	authz.allow.allowed with input as _request(method, path, token) with opa.runtime as _runtime
}

_table := [
	["GET", "health", {"q", "r", "p", "a", "x", ""}],
	["GET", "health/live", set()],
	["POST", "health", set()],
	# deciding
	["POST", "v1/data/kafka/decision", {"q", "r"}],
	["POST", "v1/data/kafka/decisions", {"q", "r"}],
	["POST", "v1/data/kafka/configs/change", {"q", "r"}],
	["POST", "v1/data/kafka/changes/classes", {"q", "r"}],
	["POST", "v1/data/kafka/change_dates", {"q", "r"}],
	["POST", "v1/data/kafka/owner_label", {"q", "r"}],
	["POST", "v1/data/kafka/dependencies/found", {"q", "r"}],
	["POST", "v1/data/kafka/applicable_rules", {"q", "r"}],
	["POST", "v1/data/kafka/lists/check", {"q", "r"}],
	["POST", "v1/data/kafka/lists/checks", {"q", "r"}],
	["POST", "v1/data/kafka/lists/upgrade", {"q", "r"}],
	["POST", "v1/data/kafka/upgrade/findings", {"q", "r"}],
	["POST", "v1/data/kafka/client_configs/effective", {"q", "r"}],
	["POST", "v1/data/kafka/audit_parts/plan", {"q", "r"}],
	["POST", "v1/data/kafka/audit_parts/names", {"q", "r"}],
	["POST", "v1/data/kafka/required_state", {"q", "r"}],
	["POST", "v1/data/kafka/statements", {"q", "r"}],
	["POST", "v1/data/kafka/client_configs/accepted", {"q", "r"}],
	["POST", "v1/data/io/k8s/federation/admission", {"q", "r"}],
	["POST", "v1/data/io/k8s/federation/admissions", {"q", "r"}],
	["POST", "v1/data/io/k8s/federation/annotations", {"q", "r"}],
	["POST", "v1/data/io/k8s/federation/cluster_states", {"q", "r"}],
	["POST", "v1/data/io/k8s/federation/index", {"q", "r"}],
	["POST", "v1/data/io/k8s/federation/placement", {"q", "r"}],
	["POST", "v1/data/io/k8s/federation/remediation", {"q", "r"}],
	["POST", "v1/data/io/k8s/federation/remediations", {"q", "r"}],
	["POST", "v1/data/io/k8s/federation/render/rendered", {"q", "r"}],
	["POST", "v1/data/io/k8s/federation/site", set()],
	["POST", "v1/data/io/k8s/federation/touched", {"q", "r"}],
	["POST", "v1/data/io/k8s/federation/without_decision", {"q", "r"}],
	["GET", "v1/data/catalog/controls", {"q", "r", "a"}],
	["POST", "v1/data/catalog/rules", {"q", "r"}],
	["GET", "v1/data/catalog/rules", {"q", "r", "a"}],
	["POST", "v1/data/catalog/revision", {"q", "r"}],
	# near misses of deciding
	["GET", "v1/data/kafka/decision", {"a"}],
	["PUT", "v1/data/kafka/decision", set()],
	["PATCH", "v1/data/kafka/decision", set()],
	["DELETE", "v1/data/kafka/decision", set()],
	["POST", "v1/data/kafka/decision/", set()],
	["POST", "v1/data/kafka/decision/allowed", set()],
	["POST", "v1/data//kafka/decision", set()],
	["POST", "v1/data/kafka", set()],
	["POST", "v1/data", set()],
	["POST", "v0/data/kafka/decision", set()],
	["POST", "", set()],
	["POST", "v1/data/system/authz/allow", set()],
	["POST", "v1/query", set()],
	["GET", "v1/query", set()],
	["POST", "v1/compile", set()],
	["POST", "v1/compile/kafka/decision", set()],
	# replicating
	["PUT", "v1/data/clusters", {"r"}],
	["GET", "v1/data/clusters/prod-eu/topics", {"r", "a"}],
	["PUT", "v1/data/clusters/prod-eu/topics/a", {"r"}],
	["PATCH", "v1/data/clusters/prod-eu/topics", {"r"}],
	["DELETE", "v1/data/kubernetes/members", {"r"}],
	# near misses of replicating
	["POST", "v1/data/clusters/prod-eu", set()],
	["PUT", "v1/data", set()],
	["PATCH", "v1/data", set()],
	["PUT", "v1/data/", set()],
	["PUT", "v1/data/clusters/", set()],
	["PUT", "v1/data//clusters", set()],
	["PUT", "v1/data/clusters/../settings", set()],
	["PUT", "v1/data/clusters/./a", set()],
	["PUT", "v1/data/./clusters", set()],
	["PUT", "v1/data/cluster", set()],
	["PUT", "v1/data/clusters2/a", set()],
	["PATCH", "v1/data/settings/rules", set()],
	["PUT", "v1/data/system/authz", set()],
	["PUT", "v1/policies/clusters", set()],
	["DELETE", "v1/policies/clusters", set()],
	# policies of ConfigMaps
	["GET", "v1/data/site/loaded", {"p", "a"}],
	# near misses of these
	["PUT", "v1/policies/configmaps/shop/rules/a.rego", set()],
	["GET", "v1/policies/configmaps/shop/rules/a.rego", {"a"}],
	["DELETE", "v1/policies/configmaps/shop/rules/a.rego", set()],
	["GET", "v1/data/site/configmaps", {"a"}],
	["PUT", "v1/data/site/configmaps", set()],
	["PUT", "v1/data/site/loaded", set()],
	["PUT", "v1/data/site", set()],
	["PUT", "v1/data/site/placement", set()],
	["PATCH", "v1/data/site/loaded", set()],
	["DELETE", "v1/data/site/loaded", set()],
	# administering
	["GET", "metrics", {"a"}],
	["GET", "v1/status", {"a"}],
	["GET", "v1/config", {"a"}],
	["PUT", "v1/config", set()],
	["POST", "metrics", set()],
	["GET", "v1/data", {"a"}],
	["GET", "v1/policies", {"q", "a"}],
	["POST", "v1/policies", set()],
	["GET", "v1/data/site", {"q", "a"}],
	["POST", "v1/data/site", set()],
	["GET", "v1/data/site/rules", {"a"}],
	["GET", "v1/policies/kafka/decision.rego", {"a"}],
	["PUT", "v1/policies/a", set()],
	["PUT", "v1/data/settings", set()],
	["GET", "debug/pprof/heap", set()],
]

test_who_may_do_what[note] if {
	some [method, path, tokens] in _table
	note := $"{method} /{path}"
	_may(method, path) == tokens
}

# A slash that was encoded is inside one segment when OPA hands it over.
test_an_encoded_slash_leads_nowhere if {
	request := {"method": "PUT", "path": ["v1", "data", "clusters/../settings"], "params": {}, "identity": "r"}
	not authz.allow.allowed with input as request with opa.runtime as _runtime
}

test_an_encoded_slash_is_part_of_a_name if {
	request := {"method": "PUT", "path": ["v1", "data", "clusters", "a/b"], "params": {}, "identity": "r"}
	authz.allow.allowed with input as request with opa.runtime as _runtime
}

test_a_token_that_is_not_set_matches_nothing[note] if {
	some note, env in {
		"no variable": {},
		"empty": {name: "" | some name, _ in _runtime.env},
	}
	requests := [
		_request("POST", "v1/data/kafka/decision", ""),
		object.remove(_request("POST", "v1/data/kafka/decision", ""), ["identity"]),
	]
	refused := {"allowed": false, "reason": _no_token}
	every request in requests {
		authz.allow == refused with input as request with opa.runtime as {"env": env}
	}
}

test_a_trace_is_for_nobody if {
	every token in ["q", "r", "a"] {
		request := object.union(_request("GET", "v1/data/catalog/rules", token), {"params": {"explain": ["full"]}})
		not authz.allow.allowed with input as request with opa.runtime as _runtime
	}
}

test_measuring_is_for_all if {
	request := object.union(_request("POST", "v1/data/kafka/decision", "q"), {"params": {"metrics": ["true"]}})
	authz.allow == {"allowed": true} with input as request with opa.runtime as _runtime
}

test_a_refusal_says_why[note] if {
	some note, case in {
		"no token": [_request("POST", "v1/data/kafka/decision", "x"), _no_token],
		"not this": [_request("PUT", "v1/data/settings", "r"), "the replicator token may not PUT /v1/data/settings"],
		"not so": [
			object.union(_request("POST", "v1/data/kafka/decision", "q"), {"params": {"explain": ["full"]}}),
			"the query token may not POST /v1/data/kafka/decision with ?explain",
		],
	}
	[request, reason] := case
	authz.allow == {"allowed": false, "reason": reason} with input as request with opa.runtime as _runtime
}
