package system.authz

# METADATA
# description: |
#   The callers of the settings that the bearer of the token is. The settings have the SHA-256 of tokens of 256 random
#   bits: a look-up by it takes the same time whatever a wrong token has in common with a right one.
_bearer_callers contains caller if {
	input.identity != ""
	caller := object.get(data.settings.compiled.callers.tokens, crypto.sha256(input.identity), null)
	caller != null
}

_bearer_callers contains _with_principal(caller) if {
	some caller in _issuer(_verified_claims.iss).callers
	every name, value in caller.claims { _is_claimed(_verified_claims[name], value) }
}

_is_claimed(claim, value) if claim == value

_is_claimed(claim, value) if {
	is_array(claim)
	value in claim
}

# Undefined where the claim is missing: then the caller is nobody.
_with_principal(caller) := caller if {
	not caller.principalClaim
} else := object.union(caller, {"principal": {"type": "User", "name": name}}) if {
	name := _verified_claims[caller.principalClaim]
	is_string(name)
	name != ""
}
