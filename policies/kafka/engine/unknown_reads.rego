package kafka.engine

import data.kafka.engine.made_topics
import data.kafka.engine.topic_defaults
import data.kafka.operations

# METADATA
# description: Whether a rule that is evaluated for a purpose (`evaluated_operations`) reads what a pointer leads to.
# scope: document
_is_reader_of(id, _, _, pieces) if {
	pieces[0] == "clusterState"
	pieces[1] in object.get(data.catalog.state, ["deciding", "rules", id], data.catalog.state.rules[id])
}

_is_reader_of(id, purpose, operation, pieces) if {
	pieces[0] == "request"
	some read in object.get(data.catalog.state, ["deciding", "inputs", id], data.catalog.state.inputs[id])
	some place in _input_paths(purpose, operation, array.slice(pieces, 1, count(pieces)))
	shorter := min([count(read), count(place)])
	array.slice(read, 0, shorter) == array.slice(place, 0, shorter)
}

# Where rules find a field of the request in what they see, [] being all of it: what names something that is there, or
# decides which topics a rule is evaluated of, is behind all that they see.
_input_paths("own", operation, field) := {[]} if {
	field[0] in {"broker", "entity", "resource", "topic"}
	operation != "CreateTopic"
	operations[operation].subject != "part"
} else := union({{field, array.concat(["request"], field)}, _topic_input_paths(field)})

_input_paths("inherited", _, field) := paths if {
	field[0] == "configs"
	paths := union({_topic_input_paths(inheriting) | some inheriting in topic_defaults.inheriting_fields(field)})
} else := {[]}

_input_paths("made", _, field) := {[] | made_topics.is_deciding_config(field)} if {
	field[0] == "configs"
} else := {[]}

_topic_input_paths(field) := {["change"], array.concat(["requested", "requestedConfigs"], rest)} | {path |
	some holder in ["requested", "effective"]
	some of in ["configs", "values"]
	path := array.concat([holder, of], rest)
} if {
	field[0] == "configs"
	rest := array.slice(field, 1, count(field))
}

# By the name a topic has labels, and is Kafka's own.
_topic_input_paths(field) := {["labels"], ["requested", "internal"]} if field[0] == "topic"

_topic_input_paths(field) := {["requested", changed] |
	some changed in [
		"generatedReplicaAssignments", "numPartitions", "reassigning", "replicasAssignments", "replicationFactor",
	]
} if {
	field[0] in {"newAssignments", "reassignments", "replicasAssignments"}
}

_topic_input_paths(field) := {["change"], ["effective"], ["requested"]} if field[0] in {"acl", "ops"}

_topic_input_paths(field) := {array.concat(["requested"], field)} if {
	not field[0] in {"acl", "configs", "newAssignments", "ops", "reassignments", "replicasAssignments", "topic"}
}
