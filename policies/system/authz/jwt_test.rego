package system.authz_test

import data.system.authz

# The key of RFC 7515, appendix A.3.
_public := {
	"kty": "EC",
	"crv": "P-256",
	"x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
	"y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
}

_private := object.union(_public, {"d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"})

_set := json.marshal({"keys": [object.union(_public, {"kid": "a"})]})

_url := "https://login.example.com"

_staff := {
	"name": "staff",
	"kind": "untrusted",
	"principal": null,
	"principalClaim": "email",
	"claims": {"groups": "kafka", "email_verified": true},
	"enforcementPoint": null,
	"entryPoints": ["kafka/decision"],
}

_robots := {
	"name": "robots",
	"kind": "trusted",
	"principal": null,
	"claims": {"sub": "robot"},
	"enforcementPoint": null,
	"entryPoints": null,
}

_issuer := {"url": _url, "audience": "warden", "jwks": _set, "callers": [_staff, _robots]}

_claims := {
	"iss": _url,
	"aud": ["other", "warden"],
	"exp": 4102444800,
	"sub": "17",
	"email": "alice@example.com",
	"email_verified": true,
	"groups": ["kafka", "all"],
}

_signed(header, claims) := io.jwt.encode_sign(object.union(_header, header), claims, _private)

_header := {"alg": "ES256", "typ": "JWT", "kid": "a"}

_alice := {"principal": {"type": "User", "name": "alice@example.com"}}

_ask_with(token, document, issuer) := answer if {
	answer := authz.allow with input as _requesting("kafka/decision", token, document)
		with opa.runtime as _runtime
		with data.settings.compiled.callers as {"tokens": {}, "issuers": {issuer.url: issuer}}
}

_invalid := {
	"allowed": false,
	"reason": "no valid token; this JWT's issuer, audience, expiry, signature or claims are not what the settings ask for",
}

test_a_jwt_states_its_principal if {
	_ask_with(_signed({}, _claims), _alice, _issuer) == {"allowed": true}
	other := {"principal": {"type": "User", "name": "bob@example.com"}}
	sentence := `principal: state {"name":"alice@example.com","type":"User"}, which is this token's`
	_ask_with(_signed({}, _claims), other, _issuer) == _statement_denial("staff", sentence)
}

test_a_jwt_of_a_trusted_caller_states_everything if {
	token := _signed({}, object.union(_claims, {"sub": "robot", "groups": []}))
	_ask_with(token, {"now": "2000-01-01T00:00:00Z"}, _issuer) == {"allowed": true}
}

test_a_jwt_that_is_not_valid[note] if {
	some note, token in {
		"expired": _signed({}, object.union(_claims, {"exp": 946684800})),
		"never expires": _signed({}, object.remove(_claims, ["exp"])),
		"not yet": _signed({}, object.union(_claims, {"nbf": 4102444700})),
		"another audience": _signed({}, object.union(_claims, {"aud": "other"})),
		"no audience": _signed({}, object.remove(_claims, ["aud"])),
		"another issuer": _signed({}, object.union(_claims, {"iss": "https://evil.example.com"})),
		"no issuer": _signed({}, object.remove(_claims, ["iss"])),
		"another group": _signed({}, object.union(_claims, {"groups": ["all"]})),
		"a group in words": _signed({}, object.union(_claims, {"groups": "kafka all"})),
		"a group as the value of an object": _signed(
			{},
			object.union(object.remove(_claims, ["groups"]), {"groups": {"a": "kafka"}}),
		),
		"no group": _signed({}, object.remove(_claims, ["groups"])),
		"not verified": _signed({}, object.union(_claims, {"email_verified": "true"})),
		"without the principal": _signed({}, object.remove(_claims, ["email"])),
		"with a principal without name": _signed({}, object.union(_claims, {"email": ""})),
		"with a principal that is not a text": _signed({}, object.union(_claims, {"email": ["alice@example.com"]})),
		"shared secret": io.jwt.encode_sign(
			{"alg": "HS256", "kid": "a"},
			_claims,
			{"kty": "oct", "k": base64url.encode_no_pad(_set)},
		),
		"cut": concat(".", array.concat(array.slice(split(_signed({}, _claims), "."), 0, 2), ["AAAA"])),
	}
	_ask_with(token, _alice, _issuer) == _invalid
}

test_what_is_no_jwt if {
	every token in ["a.b.c", "a", "..", "e30.e30."] {
		_ask_with(token, _alice, _issuer).allowed == false
	}
}

_remote := object.union(object.remove(_issuer, ["jwks"]), {
	"jwksUrl": "https://login.example.com/keys",
	"refreshSeconds": 60,
})

test_keys_of_a_url[note] if {
	some note, [response, expected] in {
		"there": [{"status_code": 200, "raw_body": _set}, {"allowed": true}],
		"of another": [{"status_code": 200, "raw_body": `{"keys": []}`}, _invalid],
		"no keys": [{"status_code": 200, "raw_body": "<html>"}, _invalid],
		"moved": [{"status_code": 302, "raw_body": _set}, _invalid],
		"out of reach": [{"status_code": 0, "error": {"message": "connection refused"}}, _invalid],
	}
	answer := _ask_with(_signed({}, _claims), _alice, _remote) with http.send as response
	answer == expected
}
