package checks.settings_test

import data.checks.settings
import data.system.authz

_token := "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

_portal := {
	"kind": "untrusted",
	"tokens": [_token],
	"principal": "User:portal:1",
	"enforcementPoint": "service",
	"entryPoints": ["kafka/decision*", "catalog/rules"],
}

_staff := {
	"kind": "untrusted",
	"issuer": "login",
	"claims": {"groups": "kafka"},
	"principalClaim": "email",
	"entryPoints": ["kafka/decision"],
}

_robots := {"kind": "trusted", "issuer": "login", "claims": {"sub": "robot"}}

_login := {"url": "https://login.example.com", "audience": "warden", "jwksUrl": "https://login.example.com/keys"}

_document(callers, issuers) := {"callers": callers, "issuers": issuers}

_complaints(document) := {$"{concat(".", problem.path)}: {problem.message}" | some problem in problems} if {
	problems := settings.problems with input as {"rules": {}, "settings": document, "complete": false}
}

test_callers_compiled if {
	callers := {"portal": _portal, "staff": _staff, "robots": _robots, "anybody": object.remove(_staff, ["claims"])}
	document := object.union({"rules": {}}, _document(callers, {"login": _login}))
	asker := {
		"kind": "untrusted",
		"principal": null,
		"principalClaim": "email",
		"enforcementPoint": null,
		"entryPoints": ["kafka/decision"],
	}
	_compiled(document).callers == {
		"tokens": {_token: {
			"name": "portal",
			"kind": "untrusted",
			"principal": {"type": "User", "name": "portal:1"},
			"enforcementPoint": "service",
			"entryPoints": ["catalog/rules", "kafka/decision", "kafka/decisions"],
		}},
		"issuers": {"https://login.example.com": {
			"url": "https://login.example.com",
			"audience": "warden",
			"jwksUrl": "https://login.example.com/keys",
			"refreshSeconds": 300,
			"callers": [
				object.union(asker, {"name": "anybody", "claims": {}}),
				{
					"name": "robots",
					"kind": "trusted",
					"claims": {"sub": "robot"},
					"principal": null,
					"enforcementPoint": null,
					"entryPoints": null,
				},
				object.union(asker, {"name": "staff", "claims": {"groups": "kafka"}}),
			],
		}},
	}
}

test_keys_of_a_file_are_text if {
	issuer := object.union(object.remove(_login, ["jwksUrl"]), {"jwks": {"keys": [{"kty": "EC"}]}})
	document := object.union({"rules": {}}, _document({}, {"login": issuer}))
	_compiled(document).callers.issuers[_login.url].jwks == `{"keys":[{"kty":"EC"}]}`
}

test_callers_without_problems if {
	_complaints(_document({"portal": _portal, "staff": _staff, "robots": _robots}, {"login": _login})) == set()
}

# What is changed of a caller, and the complaint.
test_problems_of_callers[note] if {
	some note, [caller, over, without, sentence] in {
		"two ways": [_portal, {"issuer": "login"}, [], "callers.a: write tokens, or an issuer, and not both"],
		"no way": [_portal, {}, ["tokens"], "callers.a: write tokens, or an issuer, and not both"],
		"claims of a token": [
			_portal, {"claims": {"a": "b"}}, [],
			"callers.a: claims and principalClaim are of a JWT: write an issuer",
		],
		"trusted, with a principal": [
			_robots, {"principal": "User:a"}, [],
			"callers.a: a trusted caller states its principal and enforcementPoint itself: leave them out",
		],
		"trusted, with an enforcement point": [
			_robots, {"enforcementPoint": "ci"}, [],
			"callers.a: a trusted caller states its principal and enforcementPoint itself: leave them out",
		],
		"trusted, everybody": [
			_robots, {}, ["claims"],
			"callers.a: name the claims of trusted callers: an issuer has tokens for others too",
		],
		"nobody": [
			_portal, {}, ["principal"],
			"callers.a: an untrusted caller needs a principal, or the principalClaim that has it",
		],
		"two names": [
			_staff, {"principal": "User:a"}, [],
			"callers.a: an untrusted caller needs a principal, or the principalClaim that has it",
		],
		"no entry points": [
			_portal, {}, ["entryPoints"],
			"callers.a: name the entryPoints of an untrusted caller: it may ask no others",
		],
		"an unknown issuer": [_staff, {"issuer": "logout"}, [], "callers.a.issuer: unknown issuer logout"],
		"no entry point": [
			_portal, {"entryPoints": ["kafka/desicion"]}, [],
			"callers.a.entryPoints: kafka/desicion is not an entry point",
		],
		"an entry point of others": [
			_portal, {"entryPoints": ["kafka/dependencies/found"]}, [],
			"callers.a.entryPoints: kafka/dependencies/found is for trusted callers",
		],
		"a token that is no sum": [
			_portal, {"tokens": ["secret"]}, [],
			"callers.a.tokens.0: does not match pattern '^[0-9a-f]{64}$'",
		],
		"no kind": [_portal, {}, ["kind"], "callers.a: kind is missing: write it"],
		"a principal without type": [
			_portal, {"principal": "portal"}, [],
			"callers.a.principal: does not match pattern '^[^:]+:.'",
		],
		"another field": [_portal, {"token": "a"}, [], "callers.a: unknown field token"],
	}
	changed := object.union(object.remove(caller, without), over)
	sentence in _complaints(_document({"a": changed}, {"login": _login}))
}

test_an_entry_point_that_is_none_comes_with_those_that_there_are if {
	callers := {"a": object.union(_portal, {"entryPoints": ["kafka/desicion", 7]})}
	found := settings.problems with input as {"rules": {}, "settings": _document(callers, {}), "complete": false}
	[problem] := [problem | some problem in found; problem.unknown]
	problem.unknown == "kafka/desicion"
	"kafka/decision" in problem.known
}

test_a_trusted_caller_may_have_all_entry_points if {
	_complaints(_document({"a": {"kind": "trusted", "tokens": [_token], "entryPoints": ["*"]}}, {})) == set()
}

test_a_token_is_one_callers if {
	_complaints(_document({"a": _portal, "b": _portal}, {})) == {"callers.b.tokens: the token is a's already"}
}

test_problems_of_issuers[note] if {
	some note, [over, without, sentence] in {
		"two places": [
			{"jwks": {"keys": [{"kty": "EC"}]}}, [],
			"issuers.a: write exactly one of jwks, jwksFile and jwksUrl",
		],
		"no place": [{}, ["jwksUrl"], "issuers.a: write exactly one of jwks, jwksFile and jwksUrl"],
		"a private key": [
			{"jwks": {"keys": [{"kty": "EC", "d": "x"}]}}, ["jwksUrl"],
			"issuers.a.jwks: has a secret key: write the public ones alone",
		],
		"a shared secret": [
			{"jwks": {"keys": [{"kty": "oct", "k": "x"}]}}, ["jwksUrl"],
			"issuers.a.jwks: has a secret key: write the public ones alone",
		],
		"no keys": [{"jwks": {}}, ["jwksUrl"], "issuers.a.jwks: keys is missing: write it"],
		"no audience": [{}, ["audience"], "issuers.a: audience is missing: write it"],
		"in the clear": [
			{"jwksUrl": "http://login.example.com/keys"}, [],
			"issuers.a.jwksUrl: does not match pattern '^(https://|http://(127[.]0[.]0[.]1|localhost)[:/])'",
		],
	}
	sentence in _complaints(_document({}, {"a": object.union(object.remove(_login, without), over)}))
}

test_an_issuers_url_is_its_own if {
	_complaints(_document({}, {"a": _login, "b": _login})) == {$"issuers.b.url: {_login.url} is the URL of issuer a"}
}

test_entry_points_are_those_of_the_policy if {
	found := _compiled({"rules": {}, "callers": {"a": {"kind": "trusted", "tokens": [_token], "entryPoints": ["*"]}}})
	count(found.callers.tokens[_token].entryPoints) == count(authz.entry_points)
}
