package kafka.rules.changes

import data.kafka.changes
import data.kafka.violation

# METADATA
# title: A change that changes nothing is reported
# description: |
#   Applying what holds already is no error, but a change without effect often
#   means that its author expected another state.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs
# custom:
#   id: KFK-CHG-007
#   severity: info
#   operations: [AlterTopic]
#   params: {}
#   messages:
#     topic: "the request changes nothing: the topic is as it asks for already"
#     config: the override of {name} changes, but {value} is in force before and after
#   fix: leave out of the request what was not to change
deny contains violation.new(rego.metadata.rule(), args, path, []) if {
	input.operation == "AlterTopic"
	input.params["KFK-CHG-007"]
	some path, args in _no_op_args_by_path
}

# The three forms of a change name different things for the same outcome, so what counts are the states.
_no_op_args_by_path[["configs"]] := {"case": "topic"} if {
	_altered_names == set()
	changes.field_changes == {}
	input.current.labels == input.labels
	input.current.reassigning == {} # else it may be that which the request is about
}

_no_op_args_by_path[["configs", name]] := {"case": "config", "name": name, "value": value} if {
	some name, change in changes.config_changes
	change.class == "noOp"
	name in _altered_names
	value := json.marshal(change.after)
}

_altered_names := changes.altered_names("topic", input.change)
