package checks.state

# METADATA
# description: |
#   What of the prepared input each rule reads, by its id: paths as far as their names are written out, [] being all of
#   it. A rule reads what its own file does, and the files of its family that have what it names; it reads everything
#   where a library that one of them imports reads of the input by itself. The cluster's state (`parts`) is left out,
#   and so is what says only where and when a decision is made.
# entrypoint: true
reads[id] := sort({path | some other in _files_used_by(file); some path in _reads_by_file[other]}) if {
	some id, file in input.rules
}

# A rule's file, and those of its family that have what it names, or what these name.
_files_used_by(file) := graph.reachable(_used_files, {file})

_reads_by_file[file] := _input_reads(_modules[file]) if some file in object.keys(_used_files)

_input_reads(module) := (_literal_input_paths(module) | _whole_input_paths(module)) | {[] | _has_reader_import(module)}

# The files of the same family with a rule that a file names.
_used_files[file] := {other |
	some other in _files_by_family[_family_directory(file)]
	_usable_names[other] & named != set()
} if {
	some file, module in _modules
	startswith(file, "kafka/rules/")
	named := {node.value | walk(module.rules, [_, node]); node.type == "var"}
}

_files_by_family[_family_directory(file)] contains file if some file, _ in input.modules

_usable_names[file] := {rule.head.name | some rule in module.rules} - {"annotate", "candidates", "charge", "deny"} if {
	some file, module in _modules
}

# The names at the beginning of a reference: a variable, or a number, stands for all that is there.
_literal_input_paths(module) := {path |
	walk(module.rules, [_, {"type": "ref", "value": pieces}])
	pieces[0].value == "input"
	names := [piece.value | some piece in array.slice(pieces, 1, count(pieces)); piece.type == "string"]
	not names[0] in _decision_context_fields
	path := [name | some i, name in names; pieces[i + 1].value == name]
	path != []
}

_decision_context_fields := {
	"api",
	"cluster",
	"clusterState",
	"enforcementPoint",
	"now",
	"operation",
	"params",
	"part",
	"principal",
}

_resource_fields := {
	"acl",
	"broker",
	"change",
	"current",
	"effective",
	"entity",
	"labels",
	"request",
	"requested",
	"topic",
}

# All of the input as an argument, but of what looks up a part of the cluster's state, or by a path who asks.
_whole_input_paths(module) := {[] |
	walk(module, [at, node])
	node == {"type": "ref", "value": [{"type": "var", "value": "input"}]}
	call := object.get(module, array.slice(at, 0, count(at) - 1), [])
	not _is_look_up(call)
}

_is_look_up([callee, _, _]) if {
	some look_up in ["part", "topic", "broker_default"]
	_is_ref_ending_in(callee, ["cluster", look_up])
}

_is_look_up([callee, _, path, _]) if {
	_is_ref_ending_in(callee, ["object", "get"])
	names := [piece.value | some piece in _path_terms(path)]
	names[0] in _decision_context_fields
}

_path_terms(path) := path.value if path.type == "array"

_path_terms(path) := [path] if path.type == "string"

_has_reader_import(module) if {
	some imported in module.imports
	[piece.value | some piece in imported.path.value] in _input_reader_packages
}

# The libraries outside the rules, without entry points, that read of the input by themselves.
_input_reader_packages contains [piece.value | some piece in module["package"].path] if {
	some file, module in _modules
	not startswith(file, "kafka/rules/")
	some way in ["input.", "input["]
	contains(input.modules[file], way)
	some path in _literal_input_paths(module)
	path[0] in _resource_fields
}
