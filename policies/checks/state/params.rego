package checks.state

# METADATA
# description: |
#   The other rules whose parameters a rule reads, by the rule's id, of those that read any: by that only what is broken
#   is looked at once more, with the parameters that it takes.
# entrypoint: true
params[id] := sort(others) if {
	some id, file in input.rules
	others := {other | some used in _files_used_by(file); some other in _named_rule_ids_by_file[used]} - {id}
	others != set()
}

_named_rule_ids_by_file[file] := {node.value |
	walk(_modules[file].rules, [_, node])
	node.type == "string"
	input.rules[node.value]
} if {
	some file in object.keys(_used_files)
}
