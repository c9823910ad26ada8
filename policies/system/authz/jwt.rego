package system.authz

# METADATA
# description: |
#   The claims of a JSON Web Token (RFC 7519) of an issuer of the settings: signed by one of its keys with an algorithm
#   of key pairs, for its audience, and not expired. A token that never expires is refused.
_verified_claims := verified[2] if {
	issuer := _issuer(_stated_claims.iss)
	verified := io.jwt.decode_verify(input.identity, {
		"cert": _issuer_keys(issuer),
		"alg": _jwt_header.alg,
		"iss": issuer.url,
		"aud": issuer.audience,
	})
	verified[0]
}

# By object.get: where the settings have none, OPA's compiler knows that nothing can be found. An array would be a path.
_issuer(url) := object.get(data.settings.compiled.callers.issuers, url, null) if is_string(url)

_signature_algorithms := {"ES256", "ES384", "ES512", "EdDSA", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512"}

_issuer_keys(issuer) := issuer.jwks

# Kept for so long whatever the server says; undefined, so that nobody is let in, where it cannot be reached then.
_issuer_keys(issuer) := response.raw_body if {
	response := http.send({
		"method": "GET",
		"url": issuer.jwksUrl,
		"timeout": "2s",
		"enable_redirect": false,
		"raise_error": false,
		"force_cache": true,
		"force_cache_duration_seconds": issuer.refreshSeconds,
	})
	response.status_code == 200
}
