# METADATA
# title: Who may ask OPA what
# description: |
#   OPA asks this package about every request to its own REST API (`--authorization=basic`) before it looks at the path.
#   Tokens are in OPA's environment; one that is unset or empty matches nothing. Nothing here is a document that holds
#   a token, so that reading data does not show one.
package system.authz

_variables := {
	"admin": "WARDEN_OPA_ADMIN_TOKEN",
	"query": "WARDEN_OPA_QUERY_TOKEN",
	"replicator": "WARDEN_OPA_REPLICATOR_TOKEN",
}

# Not `explain`: a trace shows every value it meets, and this policy meets the tokens.
_parameters := {"metrics", "pretty", "provenance"}

# METADATA
# title: The answer to OPA
# description: An object, because OPA hands its `reason` to the caller.
# scope: document
default allow := {
	"allowed": false,
	"reason": "no valid token: send the query, replicator or admin token as Authorization: Bearer",
}

allow := {"allowed": true} if {
	input.method == "GET"
	input.path == ["health"]
} else := {"allowed": true} if {
	object.keys(input.params) - _parameters == set()
	some role in _roles
	_may(role)
} else := {"allowed": false, "reason": reason} if {
	count(_roles) > 0
	extra := [$" with ?{name}" | some name in (object.keys(input.params) - _parameters)]
	what := $"{input.method} /{concat("/", input.path)}{concat("", extra)}"
	reason := $"the {concat(" and ", _roles)} token may not {what}"
}

# One call of opa.runtime() for all tokens: it copies the whole environment each time. crypto.hmac.equal takes the same
# time whatever the difference.
_roles contains role if {
	input.identity != ""
	env := opa.runtime().env
	some role, variable in _variables
	crypto.hmac.equal(env[variable], input.identity)
}
