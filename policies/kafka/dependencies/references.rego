package kafka.dependencies

# METADATA
# description: |
#   What a module reads. A reference below `input` or `data` is the list of its pieces, with what an import abbreviates
#   written out: a text for itself, true for the name of the topic that the decision is about, null for what is known at
#   evaluation only.
_module_reads(tree) := referred | called if {
	aliases := _import_paths_by_alias(tree)
	rules := object.filter(tree, ["rules"])
	calls := _calls_by_path(rules)
	referred := {read |
		walk(rules, [path, node])
		pieces := _node_pieces(calls, path, node, aliases)
		some read in _reads_of_reference(_with_lookup_pieces(calls, path, pieces, aliases))
	}
	called := {read |
		some call in calls
		some read in _reads_of_call(_reference_pieces(call[0].value, aliases), call, aliases)
	}
}

_import_paths_by_alias(tree) := {name: [piece.value | some piece in imported.path.value] |
	some imported in object.get(tree, "imports", [])
	last := imported.path.value[count(imported.path.value) - 1].value
	name := object.get(imported, "alias", last)
}

# The terms of each call, the function first, by the path to them.
_calls_by_path(rules) := {path: node |
	walk(rules, [path, node])
	is_array(node)
	node[0].type == "ref"
	_is_call(rules, path)
}

_is_call(_, path) if path[count(path) - 1] == "terms"

_is_call(rules, path) if {
	path[count(path) - 1] == "value"
	object.get(rules, array.slice(path, 0, count(path) - 1), {}).type == "call"
}

# Functions are looked at with their calls. What is imported and stands alone is not a reference, but a variable.
_node_pieces(calls, path, node, aliases) := pieces if {
	node.type == "ref"
	not _is_called_function(calls, path)
	pieces := _reference_pieces(node.value, aliases)
} else := aliases[node.value] if {
	node.type == "var"
	array.slice(path, count(path) - 2, count(path)) != ["value", 0]
}

_is_called_function(calls, path) if {
	path[count(path) - 1] == 0
	calls[array.slice(path, 0, count(path) - 1)]
}

_reference_pieces(terms, aliases) := array.concat(
	object.get(aliases, terms[0].value, [terms[0].value]),
	[_piece(term) | some term in array.slice(terms, 1, count(terms))],
)

_piece(term) := term.value if {
	term.type == "string"
} else if {
	term.type == "ref"
	[piece.value | some piece in term.value] in [["input", "topic"], ["input", "request", "topic"]]
} else := null

# A look-up by a function reads no more than what it names.
_with_lookup_pieces(calls, path, pieces, aliases) := array.concat(pieces, more) if {
	path[count(path) - 1] == 1
	call := calls[array.slice(path, 0, count(path) - 1)]
	more := _lookup_pieces(_reference_pieces(call[0].value, aliases), call, pieces)
} else := pieces

_lookup_pieces(["object", "get"], [_, _, key, _], _) := [_piece(key)] if key.type != "array"

_lookup_pieces(["object", "get"], [_, _, key, _], _) := [_piece(piece) | some piece in key.value] if key.type == "array"

_lookup_pieces(["data", "kafka", "cluster", name], call, ["input"]) := array.concat(
	["clusterState"],
	_cluster_lookup_pieces(name, call),
)
