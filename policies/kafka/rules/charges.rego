package kafka.rules

import data.kafka.cluster
import data.kafka.rules.sizing

# METADATA
# description: |
#   What the prepared document adds to what rules with a cap count, as amounts by JSON pointers into the cluster's
#   state; below `/request` stands what counts within its request alone. What a request frees is credited to nobody.
charges[cluster.pointer(path)] := amount if {
	some [path, amount] in _amounts
	amount > 0
}

_amounts contains [["totals", "replicas"], _more.replicas] if _more

_amounts contains [["request", "partitions"], _more.partitions] if _more

_amounts contains [["totals", "byBroker", id], gained] if {
	_more
	some id, gained in sizing._gained_replicas
}

_amounts contains [["totals", owner.part, owner.name, kind], added.more] if {
	_more
	owner := sizing._owner_total(input.params["KFK-SIZ-003"].labelKey)
	some kind, added in sizing._added_to_owner
}

_amounts contains [["totals", owner.part, owner.name, "retainedBytes"], more] if {
	_more
	params := input.params["KFK-SIZ-004"]
	owner := sizing._owner_total(params.labelKey)
	more := sizing._more_to_fill(params)
}

_amounts contains [path, 1] if {
	input.operation == "DeleteTopic"
	some path in [["request", "deletions"], ["deletions", "lastHour"]]
}

_more := {
	"replicas": sizing._more_replicas,
	"partitions": sizing._more_partitions,
} if {
	input.operation in {"AlterTopic", "CreateTopic"}
}
