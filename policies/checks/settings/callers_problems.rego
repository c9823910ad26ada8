package checks.settings

import data.system.authz

# METADATA
# description: What is wrong with callers beyond their form, such as fields that contradict each other.
# scope: rule
problems contains {"path": ["callers", name], "message": message} if {
	some name, caller in input.settings.callers
	some message in _contradictions(caller)
}

problems contains {"path": ["callers", name, "issuer"], "message": $"unknown issuer {caller.issuer}"} if {
	some name, caller in input.settings.callers
	is_string(caller.issuer)
	not input.settings.issuers[caller.issuer]
}

problems contains {"path": ["callers", name, "tokens"], "message": $"the token is {other}'s already"} if {
	some name, caller in input.settings.callers
	some other, holder in input.settings.callers
	other < name
	some token in caller.tokens
	token in holder.tokens
}

problems contains {"path": ["callers", name, "entryPoints"], "message": message} if {
	some name, caller in input.settings.callers
	some pattern in caller.entryPoints
	found := _matching_entry_points([pattern])
	message := _entry_point_problem(caller.kind, pattern, found)
}

problems contains {
	"path": ["callers", name, "entryPoints"],
	"message": $"{pattern} is not an entry point",
	"unknown": pattern,
	"known": sort(_entry_points),
} if {
	some name, caller in input.settings.callers
	some pattern in caller.entryPoints
	is_string(pattern)
	_matching_entry_points([pattern]) == []
}

# Of where an issuer's keys are, and of the keys.
problems contains {"path": ["issuers", id], "message": "write exactly one of jwks, jwksFile and jwksUrl"} if {
	some id, issuer in input.settings.issuers
	_present_field_count(issuer, ["jwks", "jwksFile", "jwksUrl"]) != 1
}

problems contains {"path": ["issuers", id, "url"], "message": $"{issuer.url} is the URL of issuer {other}"} if {
	some id, issuer in input.settings.issuers
	some other, one in input.settings.issuers
	other < id
	one.url == issuer.url
}

problems contains {"path": ["issuers", id, "jwks"], "message": "has a secret key: write the public ones alone"} if {
	some id, issuer in input.settings.issuers
	some key in issuer.jwks.keys
	some part in ["d", "k"]
	key[part]
}

_contradictions(caller) := {message |
	some message, is_so in {
		"write tokens, or an issuer, and not both": _present_field_count(caller, ["tokens", "issuer"]) != 1,
		"claims and principalClaim are of a JWT: write an issuer": [
			_present_field_count(caller, ["claims", "principalClaim"]) > 0,
			_present_field_count(caller, ["issuer"]),
		] == [true, 0],
		"a trusted caller states its principal and enforcementPoint itself: leave them out": [
			caller.kind,
			_present_field_count(caller, ["principal", "principalClaim", "enforcementPoint"]) > 0,
		] == ["trusted", true],
		"name the claims of trusted callers: an issuer has tokens for others too": [
			caller.kind,
			_present_field_count(caller, ["issuer"]),
			_present_field_count(caller, ["claims"]),
		] == ["trusted", 1, 0],
		"an untrusted caller needs a principal, or the principalClaim that has it": [
			caller.kind,
			_present_field_count(caller, ["principal", "principalClaim"]) != 1,
		] == ["untrusted", true],
		"name the entryPoints of an untrusted caller: it may ask no others": [
			caller.kind,
			_present_field_count(caller, ["entryPoints"]),
		] == ["untrusted", 0],
	}
	is_so
}

_present_field_count(document, fields) := count(object.keys(document) & {field | some field in fields})

_entry_point_problem("untrusted", pattern, [pattern]) := $"{pattern} is for trusted callers" if {
	authz.entry_points[split(pattern, "/")].states == "trusted"
}
