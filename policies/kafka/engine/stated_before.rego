package kafka.engine

import data.kafka.configs
import data.kafka.model.learnt
import data.kafka.operations

# METADATA
# description: |
#   The warning where a change of mode resolved says that something else was before than the cluster's state has: the
#   decision is about the change from the state's. Undefined where they agree. Secrets are in no state.
# scope: document
_before_mismatch_warning(document, before) := line if {
	operations[document.operation].inside.configs == "change"
	stated := document.request.configs.before
	names := [name |
		some name in sort(object.keys(stated) | object.keys(before))
		object.get(stated, name, null) != object.get(before, name, null)
		not _is_secret(document, name)
	]
	names != []
	line := concat("", [
		"configs.before: not what the cluster's state has of ",
		$"{concat(", ", names)}; decided by what it has",
	])
}

_is_secret(document, name) if {
	document.operation == "AlterBroker"
	configs.type_of("broker", name) == "password"
}

_is_secret(document, name) if {
	document.operation == "AlterBroker"
	learnt.row(document, "broker", name).sensitive
}
