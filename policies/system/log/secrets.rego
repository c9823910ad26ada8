package system.log

# What a secret looks like is data, which Python reads too (warden.base.files.redact): Go, Python and Java read its
# forms the same.
_secret_name_pattern := concat("|", data.system.log.patterns.names)

_secret_text_pattern := concat("|", data.system.log.patterns.texts)

_secret_option_pattern := concat("|", data.system.log.patterns.options)

# METADATA
# description: |
#   Where secrets are. Only texts and numbers, never an object or array around them: a patch can then not fail on a
#   parent that is already replaced.
_secret_paths(document) := union({_secret_paths_of_kind(kind, document) | some kind in _possible_kinds})

# Each kind of place is looked at only where the input or the result has a word that it needs: nearly none has, and
# the words are looked for once in both.
_possible_kinds contains kind if {
	marshalled := lower(json.marshal([object.get(input, "input", null), object.get(input, "result", null)]))
	some kind, words in data.system.log.patterns.words
	_has_any(marshalled, words)
}

_has_any(text, words) if {
	some word in words
	contains(text, word)
}

# What `totals` counts has the names of owners and principals, and none of it is a secret.
_is_scalar(_, value) if is_string(value)

_is_scalar(path, value) if {
	is_number(value)
	not "totals" in path
}

_secret_paths_of_kind("names", document) := _paths_by_key(document, secret) | _paths_by_name(document, secret) if {
	secret := _secret_words(document)
	secret != set()
}

_secret_paths_of_kind("texts", document) := {path |
	walk(document, [path, text])
	is_string(text)
	regex.match(_secret_text_pattern, text)
}

# ["--password", "…"], the arguments of a container
_secret_paths_of_kind("options", document) := {path |
	walk(document, [path, value])
	_is_scalar(path, value)
	last := count(path) - 1
	is_number(path[last])
	before := array.concat(array.slice(path, 0, last), [path[last] - 1])
	regex.match(_secret_option_pattern, object.get(document, before, ""))
}

# The data of a Kubernetes Secret, FederatedSecret, …, however deep.
_secret_paths_of_kind("kinds", document) := _scalars_below({array.concat(above, below): value |
	secrets := {path: found | walk(document, [path, found]); endswith(found.kind, "Secret")}
	some above, secret in secrets
	not _is_inside(above, secrets)
	walk(secret, [below, value])
	below[count(below) - 1] in {"data", "stringData"}
})

# Names in a document repeat: each is matched once.
_secret_words(document) := {word |
	some word in (_object_keys(document) | _given_names(document))
	regex.match(_secret_name_pattern, word)
}

_object_keys(document) := {path[count(path) - 1] | walk(document, [path, _]); path != []}

_given_names(document) := {value |
	walk(document, [path, value])
	path[count(path) - 1] in _naming_fields
	is_string(value)
}

_naming_fields := {"name", "key", "path"}

# {"sasl.jaas.config": "…"}, {"passwords": ["…"]}, {"salt": 5}
_paths_by_key(document, secret) := {path |
	walk(document, [path, value])
	_is_scalar(path, value)
	words := [word | some word in path; is_string(word)]
	words[count(words) - 1] in secret
}

# {"name": "sasl.jaas.config", "value": "…"}, and the same with "key" (client configs) and "path" (a patch)
_paths_by_name(document, secret) := _scalars_below({array.concat(path, ["value"]): named.value |
	walk(document, [path, named])
	some field in _naming_fields
	named[field] in secret
})

# METADATA
# description: |
#   The paths of the texts and numbers below some places of a document, which are given by path. Places inside others
#   are left out: however they are nested, each text is looked at once.
_scalars_below(places) := {path |
	some above, place in places
	not _is_inside(above, places)
	walk(place, [below, value])
	path := array.concat(above, below)
	_is_scalar(path, value)
}

_is_inside(path, places) if {
	some length, _ in path
	places[array.slice(path, 0, length)]
}
