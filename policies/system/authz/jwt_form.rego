package system.authz

# METADATA
# description: |
#   The three parts of a token that may be a JSON Web Token; undefined where the settings name no issuer. The built-ins
#   of OPA panic at fields of another type, and then block every later write: they get a token whose header and claims
#   have been read here.
_jwt_parts := parts if {
	_has_issuers
	not _is_token_too_long
	parts := split(input.identity, ".")
	count(parts) == 3
}

_has_issuers if count(data.settings.compiled.callers.issuers) > 0

_max_jwt_characters := 16384

_is_token_too_long if count(input.identity) > _max_jwt_characters

# Neither a token inside a token (`cty`), nor one that is encrypted (`enc`), nor extensions that have to be understood.
_jwt_header := header if {
	header := json.unmarshal(base64url.decode(_jwt_parts[0]))
	header.alg in _signature_algorithms
	every name in ["kid", "typ"] { is_string(object.get(header, name, "")) }
	object.keys(header) & {"crit", "cty", "enc"} == set()
}

# What the token says of itself, not verified. The issuer's keys are looked up by it.
_stated_claims := claims if {
	_jwt_header
	claims := json.unmarshal(base64url.decode(_jwt_parts[1]))
	is_string(claims.iss)
	is_number(claims.exp)
	every name in ["iat", "nbf"] { is_number(object.get(claims, name, 0)) }
	_has_audience_form(claims.aud)
}

_has_audience_form(value) if is_string(value)

_has_audience_form(value) if {
	is_array(value)
	every name in value { is_string(name) }
}
