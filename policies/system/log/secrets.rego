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
_secret_paths(document) := union({_secret_paths_of_kind(kind, document) | some kind in _secret_place_kinds_to_search})

# Each kind of place is looked at only where the input or the result has a word that it needs: nearly none has, and
# the words are looked for once in both.
_secret_place_kinds_to_search contains kind if {
	marshalled := lower(json.marshal([object.get(input, "input", null), object.get(input, "result", null)]))
	some kind, words in data.system.log.patterns.words
	_has_any_word(marshalled, words)
}

_has_any_word(text, words) if {
	some word in words
	contains(text, word)
}

# What `totals` counts has the names of owners and principals, and none of it is a secret.
_can_be_secret(_, value) if is_string(value)

_can_be_secret(path, value) if {
	is_number(value)
	not "totals" in path
}

_secret_paths_of_kind("names", document) := paths if {
	names := _secret_names(document)
	names != set()
	paths := _secret_key_paths(document, names) | _named_value_paths(document, names)
}

_secret_paths_of_kind("texts", document) := {path |
	walk(document, [path, text])
	is_string(text)
	regex.match(_secret_text_pattern, text)
}

# ["--password", "…"], the arguments of a container
_secret_paths_of_kind("options", document) := {path |
	walk(document, [path, value])
	_can_be_secret(path, value)
	last := count(path) - 1
	is_number(path[last])
	before := array.concat(array.slice(path, 0, last), [path[last] - 1])
	regex.match(_secret_option_pattern, object.get(document, before, ""))
}

# The data of a Kubernetes Secret, FederatedSecret, …, however deep.
_secret_paths_of_kind("kinds", document) := _scalar_paths_below({array.concat(above, below): value |
	secrets := {path: found | walk(document, [path, found]); endswith(found.kind, "Secret")}
	some above, secret in secrets
	not _is_inside(above, secrets)
	walk(secret, [below, value])
	below[count(below) - 1] in {"data", "stringData"}
})

# Names in a document repeat: each is matched once.
_secret_names(document) := {word |
	some word in (_object_keys(document) | _naming_field_values(document))
	regex.match(_secret_name_pattern, word)
}

_object_keys(document) := {path[count(path) - 1] | walk(document, [path, _]); path != []}

_naming_field_values(document) := {value |
	walk(document, [path, value])
	path[count(path) - 1] in _naming_fields
	is_string(value)
}

_naming_fields := {"name", "key", "path"}

# {"sasl.jaas.config": "…"}, {"passwords": ["…"]}, {"salt": 5}
_secret_key_paths(document, secret_names) := {path |
	walk(document, [path, value])
	_can_be_secret(path, value)
	words := [word | some word in path; is_string(word)]
	words[count(words) - 1] in secret_names
}

# {"name": "sasl.jaas.config", "value": "…"}, and the same with "key" (client configs) and "path" (a patch)
_named_value_paths(document, secret_names) := _scalar_paths_below({array.concat(path, ["value"]): named.value |
	walk(document, [path, named])
	some field in _naming_fields
	named[field] in secret_names
})

# METADATA
# description: |
#   The paths of the texts and numbers below some places of a document, which are given by path. Places inside others
#   are left out: however they are nested, each text is looked at once.
_scalar_paths_below(places) := {path |
	some above, place in places
	not _is_inside(above, places)
	walk(place, [below, value])
	path := array.concat(above, below)
	_can_be_secret(path, value)
}

_is_inside(path, places) if {
	some length, _ in path
	places[array.slice(path, 0, length)]
}
