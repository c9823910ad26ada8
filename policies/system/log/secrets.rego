package system.log

# METADATA
# description: |
#   Names of configs, headers and variables that hold secrets, in Kafka (its PASSWORD configs), Kubernetes and beyond.
_names := concat("|", [
	`(?i)passw|passphrase|secret|token|jaas|credential|authorization|user\.info|last-applied-configuration`,
	`(private|access|api|encryption)[._-]?key`,
	`[._-]key$`,
])

# Texts that are secret under any name: a private key, a JAAS line, a URL with a password.
_texts := `(?i)private key-----|passw(or)?d\s*=|://[^/\s:@]+:[^/\s@]+@`

# What any of the patterns above needs, in lower case: looking for these in the whole document first makes a batch of
# 250 decisions without secrets cost 4 ms here instead of 36.
_words := {
	"passw", "passphrase", "secret", "token", "jaas", "credential", "authorization", "user.info",
	"last-applied-configuration", `key"`, "key-----", "://",
} | {concat(between, [kind, "key"]) |
	some kind in ["private", "access", "api", "encryption"]
	some between in ["", ".", "_", "-"]
}

# Only texts, never an object or array around them: a patch can then not fail on a parent that is already replaced.
_secret_paths(document) := {path |
	_suspicious(document)
	walk(document, [path, text])
	is_string(text)
	_is_secret(document, path, text)
}

_suspicious(document) if {
	text := lower(json.marshal(document))
	some word in _words
	contains(text, word)
}

_is_secret(_, _, text) if regex.match(_texts, text)

# {"sasl.jaas.config": "…"}, {"passwords": ["…"]}
_is_secret(_, path, _) if {
	words := [word | some word in path; is_string(word)]
	regex.match(_names, words[count(words) - 1])
}

# {"name": "sasl.jaas.config", "value": "…"}, and the same with "key" (client configs) and "path" (a patch)
_is_secret(document, path, _) if {
	some index, "value" in path
	some field in ["name", "key", "path"]
	regex.match(_names, object.get(document, array.concat(array.slice(path, 0, index), [field]), ""))
}

# The data of a Kubernetes Secret, FederatedSecret, …, however deep.
_is_secret(document, path, _) if {
	some index, field in path
	field in {"data", "stringData"}
	some length in numbers.range(0, index)
	endswith(object.get(document, array.concat(array.slice(path, 0, length), ["kind"]), ""), "Secret")
}
