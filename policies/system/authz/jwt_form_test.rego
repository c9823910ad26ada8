package system.authz_test

import data.system.authz

_part(value) := base64url.encode_no_pad(json.marshal(value))

# Signed by the issuer's key where that can be: nothing but its form is then wrong with it.
_formed(header, claims) := concat(".", [_part(object.union(_header, header)), _part(claims), "AAAA"])

_issued(change) := _signed({}, object.union(_claims, change))

_wrong_types := [null, true, 1, 1.5, "", "JWT", [], ["a"], [[]], {}, {"a": "b"}]

test_a_header_of_another_form[note] if {
	some field in ["alg", "cty", "crit", "enc", "kid", "typ"]
	some value in _wrong_types
	not _may_be(field, value)
	note := sprintf("%s %v", [field, value])
	_ask_with(_formed({field: value}, _claims), _alice, _issuer) == _invalid
}

_may_be(field, value) if {
	field in {"kid", "typ"}
	is_string(value)
}

test_a_signed_token_with_a_claim_of_another_type[note] if {
	some field in ["iss", "aud", "exp", "nbf", "iat"]
	some value in array.concat(_wrong_types, [[_url], ["warden", 1], ["warden", ["warden"]], {"warden": "warden"}])
	not is_number(value)
	note := sprintf("%s %v", [field, value])
	_ask_with(_issued({field: value}), _alice, _issuer) == _invalid
}

test_numbers_of_all_sizes[number] if {
	some number in ["0", "-0", "0.0", "-0.0", "1e-30000", "-1", "1.0e9", "1e99999999", "-1e99999999", "1e-99999999"]
	exp := replace(json.marshal(object.remove(_claims, ["exp"])), "{", $"\{\"exp\":{number},")
	_ask_with(_raw(exp), _alice, _issuer) == _invalid
}

test_an_expiry_far_ahead[number] if {
	some number in ["4102444800.5", "4.1024448e9", "99999999999999999999999999", "1e30000"]
	exp := replace(json.marshal(object.remove(_claims, ["exp"])), "{", $"\{\"exp\":{number},")
	_ask_with(_raw(exp), _alice, _issuer) == {"allowed": true}
}

_raw(claims) := io.jwt.encode_sign_raw(json.marshal(_header), claims, json.marshal(_private))

test_a_token_inside_a_token[note] if {
	some note, cty in {"upper": "JWT", "lower": "jwt"}
	header := json.marshal(object.union(_header, {"cty": cty}))
	outer := io.jwt.encode_sign_raw(header, json.marshal(_signed({}, _claims)), json.marshal(_private))
	_ask_with(outer, _alice, _issuer) == _invalid
}

test_parts[note] if {
	some note, parts in {
		"header is not an object": [base64url.encode_no_pad("[]"), _part(_claims), ""],
		"header is not JSON": [base64url.encode_no_pad("{"), _part(_claims), ""],
		"header is no base64url": ["{}", _part(_claims), ""],
		"header of one character more than bytes have": ["e30AA", _part(_claims), ""],
		"header is empty": ["", _part(_claims), ""],
		"header is not UTF-8": ["_w", _part(_claims), ""],
		"header is deep": [base64url.encode_no_pad(concat("", [`{"a":` | some _ in numbers.range(1, 1500)])), "", ""],
		"claims are no object": [_part(_header), base64url.encode_no_pad("[]"), "AAAA"],
		"claims are not JSON": [_part(_header), base64url.encode_no_pad("{"), "AAAA"],
		"claims are no base64url": [_part(_header), "{}", "AAAA"],
		"signature is no base64url": [_part(_header), _part(_claims), "{}"],
		"signature is empty": [_part(_header), _part(_claims), ""],
		"signature is long": [_part(_header), _part(_claims), concat("", ["AAAA" | some _ in numbers.range(1, 2000)])],
	}
	_ask_with(concat(".", parts), _alice, _issuer) == _invalid
}

test_the_longest_token if {
	fill := concat("", ["a" | some _ in numbers.range(1, 16384 - count(_signed({}, _claims)))])
	_ask_with(concat("", [_signed({}, _claims), fill]), _alice, _issuer) == _invalid
	reason := "no valid token; a JWT has at most 16384 characters"
	refused := {"allowed": false, "reason": reason}
	_ask_with(concat("", [_signed({}, _claims), fill, "a"]), _alice, _issuer) == refused
}

# The keys say nothing of the algorithm here, so that each is tried on a key of another family.
test_every_algorithm_with_a_key_of_another_family[algorithm] if {
	some algorithm in (authz._signature_algorithms - {"ES256"})
	some kid in ["a", "b"]
	_ask_with(_formed({"alg": algorithm, "kid": kid}, _claims), _alice, _issuer) == _invalid
}

# Without issuers the answer is that of any other wrong token, and nothing is decoded.
test_no_issuers[note] if {
	some note, callers in {"none": {"tokens": {}, "issuers": {}}, "nothing at all": {}}
	long := concat("", ["a.b.c" | some _ in numbers.range(1, 5000)])
	every token in [_formed({"cty": 1}, {}), _signed({}, _claims), long] {
		answer := authz.allow with input as _requesting("kafka/decision", token, _alice)
			with opa.runtime as _runtime
			with data.settings.compiled.callers as callers
		answer == {"allowed": false, "reason": _no_token}
	}
}

# What a signature does not make good: extensions that have to be understood, and content of another kind.
test_a_signed_header_of_another_form[note] if {
	some note, header in {"crit": {"crit": ["exp"]}, "cty": {"cty": "text"}}
	_ask_with(_signed(header, _claims), _alice, _issuer) == _invalid
}

# The keys of an issuer may have one that signs as well as it verifies.
test_a_symmetric_key if {
	key := {"kty": "oct", "kid": "a", "alg": "HS256", "k": base64url.encode_no_pad("0123456789abcdef0123456789abcdef")}
	token := io.jwt.encode_sign({"alg": "HS256", "typ": "JWT", "kid": "a"}, _claims, key)
	_ask_with(token, _alice, object.union(_issuer, {"jwks": json.marshal({"keys": [key]})})) == _invalid
}

test_a_token_of_another_kind[token] if {
	some token in ["wrong", "a.b", "a.b.c.d"]
	_ask_with(token, _alice, _issuer) == {"allowed": false, "reason": _no_token}
}
