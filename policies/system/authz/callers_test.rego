package system.authz_test

import data.system.authz

_user := {"type": "User", "name": "portal"}

_portal := {
	"name": "portal",
	"kind": "untrusted",
	"principal": _user,
	"enforcementPoint": "service",
	"entryPoints": sort({concat("/", path) | some path, _ in authz.entry_points}),
}

_team := object.union(_portal, {"name": "team", "enforcementPoint": null, "entryPoints": ["kafka/decision"]})

_platform := {"name": "platform", "kind": "trusted", "principal": null, "enforcementPoint": null, "entryPoints": null}

_ci := object.union(_platform, {"name": "ci", "entryPoints": ["kafka/decisions"]})

_known := {
	"tokens": {crypto.sha256(caller.name): caller | some caller in [_portal, _team, _platform, _ci]},
	"issuers": {},
}

_answer(request) := answer if {
	answer := authz.allow with input as request
		with opa.runtime as _runtime
		with data.settings.compiled.callers as _known
}

_requesting(path, token, document) := object.union(request, {"body": {"input": document}}) if {
	request := _request("POST", concat("/", ["v1/data", path]), token)
}

_statement_denial(token, sentence) := {
	"allowed": false,
	"reason": $"the {token} token states what it may not: {sentence}",
}

_identity := {"principal": _user, "enforcementPoint": "service"}

# What each caller may ask where it states nothing that is not its own.
_least := {
	"decisionInput": object.union(_identity, {"operation": "AuditTopic"}),
	"decisionInputs": {"common": _identity, "items": {"a": {"operation": "AuditTopic"}}},
	"common": {"common": _identity, "topics": {}},
	"enforcementPoint": {"cluster": "a", "enforcementPoint": "service"},
	"user": {"cluster": "a", "user": "portal"},
	"nothing": {"now": "2000-01-01T00:00:00Z", "clusterState": {}},
	"trusted": {},
}

test_an_untrusted_caller_may_ask[path] if {
	some path, row in authz.entry_points
	answer := _answer(_requesting(concat("/", path), "portal", _least[row.states]))
	open := row.states != "trusted"
	answer.allowed == open
}

test_a_trusted_caller_may_ask_and_state_everything[path] if {
	some path, _ in authz.entry_points
	stated := {"now": "2000-01-01T00:00:00Z", "clusterState": {}, "items": {"a": {"brokerId": "1"}}}
	_answer(_requesting(concat("/", path), "platform", stated)) == {"allowed": true}
}

test_a_list_of_entry_points_is_whole[note] if {
	some note, tc in {
		"team, its own": ["team", "kafka/decision", {"principal": _user}, true],
		"team, another": ["team", "kafka/decisions", {}, false],
		"ci, its own": ["ci", "kafka/decisions", {}, true],
		"ci, another": ["ci", "kafka/decision", {}, false],
		"nobody": ["nobody", "kafka/decision", {}, false],
		"no token": ["", "kafka/decision", {}, false],
	}
	[token, path, document, allowed] := tc
	_answer(_requesting(path, token, document)).allowed == allowed
}

test_only_trusted_callers_with_everything_read_the_rules_of_a_site[note] if {
	some note, tc in {
		"policies": ["GET", "v1/policies"],
		"site": ["GET", "v1/data/site"],
	}
	[method, path] := tc
	may := {token | some token in ["portal", "team", "platform", "ci"]; _answer(_request(method, path, token)).allowed}
	may == {"platform"}
}

test_no_untrusted_caller_reads_the_rules_of_a_site if {
	everywhere := {"tokens": {crypto.sha256("portal"): object.union(_portal, {"entryPoints": null})}, "issuers": {}}
	authz.allow.allowed == false with input as _request("GET", "v1/policies", "portal")
		with opa.runtime as _runtime
		with data.settings.compiled.callers as everywhere
}

test_nothing_else_is_for_callers[note] if {
	some note, tc in {
		"writes": ["PUT", "v1/data/clusters/a"],
		"status": ["GET", "v1/status"],
		"data": ["GET", "v1/data/clusters"],
		"a method": ["GET", "v1/data/kafka/decision"],
		"policies": ["PUT", "v1/policies"],
		"all data": ["POST", "v1/data"],
		"another version": ["POST", "v0/data/kafka/decision"],
	}
	[method, path] := tc
	every token in ["portal", "platform"] {
		what := $"the {token} token may not {method} /{path}"
		_answer(_request(method, path, token)) == {"allowed": false, "reason": what}
	}
}

test_a_trace_is_for_no_caller if {
	every token in ["portal", "platform"] {
		request := object.union(_requesting("catalog/rules", token, {}), {"params": {"explain": ["full"]}})
		reason := $"the {token} token may not POST /v1/data/catalog/rules with ?explain"
		_answer(request) == {"allowed": false, "reason": reason}
	}
}

# The reason tells of a statement only where it is the statement that is refused.
test_what_is_refused_is_named[note] if {
	lie := {"now": "2000-01-01T00:00:00Z"}
	some note, [request, what] in {
		"the method": [
			object.union(_requesting("kafka/decision", "portal", lie), {"method": "GET"}),
			"the portal token may not GET /v1/data/kafka/decision",
		],
		"the entry point": [
			_requesting("kafka/decisions", "team", {"items": {"a": lie}}),
			"the team token may not POST /v1/data/kafka/decisions",
		],
		"the parameter": [
			object.union(_requesting("kafka/decision", "platform", lie), {"params": {"explain": ["full"]}}),
			"the platform token may not POST /v1/data/kafka/decision with ?explain",
		],
	}
	_answer(request) == {"allowed": false, "reason": what}
}

test_no_token_is_nobodys_token if {
	empty := {"tokens": {crypto.sha256(""): _platform}, "issuers": {}}
	authz.allow.allowed == false with input as _requesting("kafka/decision", "", {})
		with opa.runtime as _runtime
		with data.settings.compiled.callers as empty
}

# A caller may have a token of the environment as well: then it may what either may.
test_of_two_names_either_counts if {
	both := {"tokens": {crypto.sha256("q"): _team}, "issuers": {}}
	authz.allow == {"allowed": true} with input as _requesting("kafka/decision", "q", {"now": "x"})
		with opa.runtime as _runtime
		with data.settings.compiled.callers as both
}
