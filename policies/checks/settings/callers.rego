package checks.settings

import data.system.authz

# METADATA
# description: |
#   Who may ask OPA with a token that the settings name, and what of its statements is believed.
_caller_schema := {
	"type": "object",
	"additionalProperties": false,
	"required": ["kind"],
	"properties": {
		"kind": {"enum": ["trusted", "untrusted"]},
		"tokens": {"type": "array", "minItems": 1, "items": {"type": "string", "pattern": "^[0-9a-f]{64}$"}},
		"issuer": {"type": "string"},
		"claims": {"type": "object", "minProperties": 1, "additionalProperties": {"type": ["string", "boolean"]}},
		"principal": {"type": "string", "pattern": "^[^:]+:."},
		"principalClaim": {"type": "string", "minLength": 1},
		"enforcementPoint": {"type": "string"},
		"entryPoints": {"type": "array", "minItems": 1, "items": {"type": "string"}},
	},
}

# An issuer of JSON Web Tokens, and where its public keys are.
_issuer_schema := {
	"type": "object",
	"additionalProperties": false,
	"required": ["url", "audience"],
	"properties": {
		"url": {"type": "string", "minLength": 1},
		"audience": {"type": "string", "minLength": 1},
		"jwks": {
			"type": "object",
			"required": ["keys"],
			"properties": {"keys": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["kty"]}}},
		},
		"jwksFile": {"type": "string"},
		"jwksUrl": {"type": "string", "pattern": "^(https://|http://(127[.]0[.]0[.]1|localhost)[:/])"},
		"internalHost": {"type": "string", "minLength": 1},
		"refreshSeconds": {"type": "integer", "minimum": 1},
	},
}

# What the policy that guards OPA looks up: a caller by the SHA-256 of its token, or those of an issuer by its URL.
_caller_by_token_hash[token] := _compiled_caller(name, caller) if {
	some name, caller in input.settings.callers
	some token in caller.tokens
}

_issuer_by_url[issuer.url] := object.union(_jwks_fields(issuer), {
	"url": issuer.url,
	"audience": issuer.audience,
	"callers": [_compiled_caller(name, caller) | some name, caller in input.settings.callers; caller.issuer == id],
}) if {
	some id, issuer in input.settings.issuers
}

_jwks_fields(issuer) := {"jwks": json.marshal(issuer.jwks)} if issuer.jwks

_jwks_fields(issuer) := {"jwksUrl": issuer.jwksUrl, "refreshSeconds": object.get(issuer, "refreshSeconds", 300)} if {
	issuer.jwksUrl
}

_compiled_caller(name, caller) := object.union(_claim_fields(caller), {
	"name": name,
	"kind": caller.kind,
	"principal": _principal(object.get(caller, "principal", null)),
	"enforcementPoint": object.get(caller, "enforcementPoint", null),
	"entryPoints": _matching_entry_points(object.get(caller, "entryPoints", null)),
})

_claim_fields(caller) := object.union({"claims": {}}, object.filter(caller, ["claims", "principalClaim"])) if {
	caller.issuer
}

_claim_fields(caller) := {} if not caller.issuer

_principal(null) := null

_principal(text) := {"type": substring(text, 0, end), "name": substring(text, end + 1, -1)} if end := indexof(text, ":")

_matching_entry_points(null) := null

_matching_entry_points(patterns) := sort(paths) if {
	is_array(patterns)
	paths := {path | some pattern in patterns; some path in _entry_points; glob.match(pattern, null, path)}
}

_entry_points contains concat("/", path) if some path, _ in authz.entry_points
