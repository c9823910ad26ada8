package checks.state

# METADATA
# description: |
#   What each rule about topics names of a topic, by the rule's id: configs, and the numbers that a creation may leave
#   out, as they stand in its file and in those of its family that it uses. What its parameters name is not among it.
# entrypoint: true
names[id] := sort({name | some other in _files_used_by(file); some name in _topic_field_names_by_file[other]}) if {
	some id, file in input.rules
}

_topic_field_names_by_file[file] := {node.value |
	walk(_modules[file].rules, [_, node])
	node.type == "string"
	regex.match(`^([a-z]+([.][a-z0-9]+)+|preallocate|numPartitions|replicationFactor)$`, node.value)
} if {
	some file in object.keys(_used_files)
}
