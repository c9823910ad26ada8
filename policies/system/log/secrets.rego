package system.log

import data.system.log.patterns

# Only texts and numbers, never an object or array around them: a patch can then not fail on a parent that is already
# replaced. What `totals` counts has the names of owners and principals, and none of it is a secret.
_secret_paths(document) := {path |
	_suspicious(document)
	walk(document, [path, value])
	_is_scalar(path, value)
	_is_secret(document, path, value)
}

_is_scalar(_, value) if is_string(value)

_is_scalar(path, value) if {
	is_number(value)
	not "totals" in path
}

_suspicious(document) if {
	text := lower(json.marshal(document))
	some word in patterns.words
	contains(text, word)
}

_is_secret(_, _, text) if regex.match(patterns.texts, text)

# {"sasl.jaas.config": "…"}, {"passwords": ["…"]}, {"salt": 5}
_is_secret(_, path, _) if {
	words := [word | some word in path; is_string(word)]
	regex.match(patterns.names, words[count(words) - 1])
}

# {"name": "sasl.jaas.config", "value": "…"}, and the same with "key" (client configs) and "path" (a patch)
_is_secret(document, path, _) if {
	some index, "value" in path
	some field in ["name", "key", "path"]
	regex.match(patterns.names, object.get(document, array.concat(array.slice(path, 0, index), [field]), ""))
}

# ["--password", "…"], the arguments of a container
_is_secret(document, path, _) if {
	last := count(path) - 1
	is_number(path[last])
	before := array.concat(array.slice(path, 0, last), [path[last] - 1])
	regex.match(patterns.options, object.get(document, before, ""))
}

# The data of a Kubernetes Secret, FederatedSecret, …, however deep.
_is_secret(document, path, _) if {
	some index, field in path
	field in {"data", "stringData"}
	some length in numbers.range(0, index)
	endswith(object.get(document, array.concat(array.slice(path, 0, length), ["kind"]), ""), "Secret")
}
