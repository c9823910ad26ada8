# METADATA
# title: What of a cluster's state is read
# description: |
#   The parts of a cluster's state (`topics`, `totals`, …) that each file of the policies reads, found in its syntax
#   tree when a bundle is built, so that a replicator can leave the rest out. `input` is {"modules": {path: source}}.
# scope: subpackages
package checks.state

import data.kafka.dependencies

# METADATA
# description: |
#   `rules` has the parts by the id of the rule that reads them, itself, through what of its family it names, or in what
#   the engine makes of them for the prepared input; `engine` those that are read whatever is enabled; `lookups` what
#   rules look up in the states of other clusters, in the terms of kafka/dependencies/found.
# entrypoint: true
parts := {
	"rules": {id: sort(named | _parts_behind_inputs(reads[id])) |
		some id, file in input.rules
		named := {part | some other in _files_used_by(file); some part in _parts_by_file[other]}
	},
	"engine": sort({part |
		some file, parts in _parts_by_file
		not startswith(file, "kafka/rules/")
		some part in parts
	}),
	"lookups": {id: {"clusters": clusters, "topic": topic} |
		some id, file in input.rules
		reads := _cluster_lookups(file) | union({_cluster_lookups(other) | some other in _helper_files(file)})
		clusters := sort({read[1] | some read in reads; read[0] == "clusters"})
		topic := "topic" in {read[0] | some read in reads}
		[clusters, topic] != [[], false]
	},
}

# What of the prepared input is there by a default of the cluster's, or by its patterns of names. The resource itself is
# taken as the state has it.
_input_paths_by_part := {
	"defaults": {["effective"], ["requested", "numPartitions"], ["requested", "replicationFactor"]},
	"labelPatterns": {["labels"]},
}

_parts_behind_inputs(paths) := {part |
	some part, made in _input_paths_by_part
	some path in paths
	some other in made
	shorter := min([count(path), count(other)])
	array.slice(path, 0, shorter) == array.slice(other, 0, shorter)
}

_cluster_lookups(file) := dependencies.read(file, source) if {
	source := input.modules[file]
	some name in ["clusters", "data.kafka.cluster"]
	contains(source, name)
} else := set()

# The files of a family that hold no rule of their own.
_helper_files(file) := {other |
	some other, _ in _parts_by_file
	not other in _rule_files
	_family_directory(other) == _family_directory(file)
}

_rule_files := {file | some file in input.rules}

_family_directory(file) := concat("/", array.slice(split(file, "/"), 0, 3))

_parts_by_file[file] := _state_parts(file, module) if some file, module in _modules

# Where the word does not stand nothing is read: most of the time goes into walking trees.
_state_parts(file, module) := _module_parts(module) if {
	contains(input.modules[file], "cluster")
} else := set()

_modules[file] := rego.parse_module(file, source) if some file, source in input.modules

# A part is named in a look-up, in a path for object.get, or in a reference.
_module_parts(module) := union({_parts_in_calls(module), _parts_in_paths(module), _parts_in_references(module)})

_parts_in_calls(module) := {part |
	walk(module.rules, [_, [callee, _, name]])
	some part in _look_up_parts(callee, name)
}

_parts_in_paths(module) := {path[1].value |
	walk(module.rules, [_, {"type": "array", "value": path}])
	path[0].value == "clusterState"
	path[1].type == "string"
}

_parts_in_references(module) := {names[i] |
	walk(module.rules, [_, {"type": "ref", "value": pieces}])
	names := [piece.value | some piece in pieces]
	i := _part_index(names)
	pieces[i].type == "string"
}

_look_up_parts(callee, name) := {name.value} if {
	_is_ref_ending_in(callee, ["cluster", "part"])
	name.type == "string"
}

_look_up_parts(callee, _) := {"topics"} if _is_ref_ending_in(callee, ["cluster", "topic"])

_look_up_parts(callee, _) := {"defaults"} if _is_ref_ending_in(callee, ["cluster", "broker_default"])

# Where in a reference the part stands: after clusterState, or after the name of a cluster.
_part_index(names) := i + 1 if {
	some i, name in names
	name == "clusterState"
} else := 3 if {
	array.slice(names, 0, 2) == ["data", "clusters"]
}

_is_ref_ending_in(callee, names) if {
	callee.type == "ref"
	pieces := [piece.value | some piece in callee.value]
	array.slice(pieces, count(pieces) - count(names), count(pieces)) == names
}
