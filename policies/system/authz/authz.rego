# METADATA
# title: Who may ask OPA what
# description: |
#   OPA asks this package about every request to its own REST API (`--authorization=basic`) before it looks at the path.
#   The first tokens are in OPA's environment; one that is unset or empty matches nothing. Further callers are named by
#   the settings. Nothing here is a document that holds a token, so that reading data does not show one.
package system.authz

_token_variable_by_role := {
	"admin": "WARDEN_OPA_ADMIN_TOKEN",
	"policies": "WARDEN_OPA_POLICIES_TOKEN",
	"query": "WARDEN_OPA_QUERY_TOKEN",
	"replicator": "WARDEN_OPA_REPLICATOR_TOKEN",
}

# Not `explain`: a trace shows every value it meets, and this policy meets the tokens.
_allowed_query_parameters := {"metrics", "pretty", "provenance"}

# METADATA
# title: The answer to OPA
# description: An object, because OPA hands its `reason` to the caller.
# scope: document
default allow := {
	"allowed": false,
	"reason": "no valid token; send the query, replicator, policies or admin token in the header Authorization, as Bearer",
}

allow := {"allowed": true} if {
	input.method == "GET"
	input.path == ["health"]
} else := {"allowed": true} if {
	object.keys(input.params) - _allowed_query_parameters == set()
	some role in _bearer_roles
	_is_permitted(role)
} else := {"allowed": true} if {
	object.keys(input.params) - _allowed_query_parameters == set()
	some caller in _bearer_callers
	_can_ask(caller)
} else := {"allowed": false, "reason": _denial_reason} if {
	_caller_names_text != ""
} else := {"allowed": false, "reason": reason} if {
	_jwt_parts
	reason := "no valid token; this JWT's issuer, audience, expiry, signature or claims are not what the settings ask for"
} else := {"allowed": false, "reason": reason} if {
	_has_issuers
	_is_token_too_long
	reason := $"no valid token; a JWT has at most {_max_jwt_characters} characters"
}

_caller_names_text := concat(" and ", _bearer_roles | {caller.name | some caller in _bearer_callers})

_denial_reason := $"the {_caller_names_text} token states what it may not: {sentence}" if {
	_is_entry_point_request
	sentences := sort({sentence |
		some caller in _bearer_callers
		caller.kind == "untrusted"
		_has_entry_point(caller)
		some document in _stated_documents(entry_points[_entry_point].states, caller)
		sentence := problem(caller, document)
	})
	sentence := sentences[0]
} else := $"the {_caller_names_text} token may not {what}" if {
	extra := [$" with ?{name}" | some name in (object.keys(input.params) - _allowed_query_parameters)]
	what := $"{input.method} /{concat("/", input.path)}{concat("", extra)}"
}

# One call of opa.runtime() for all tokens: it copies the whole environment each time. crypto.hmac.equal takes the same
# time whatever the difference.
_bearer_roles contains role if {
	input.identity != ""
	env := opa.runtime().env
	some role, variable in _token_variable_by_role
	crypto.hmac.equal(env[variable], input.identity)
}
