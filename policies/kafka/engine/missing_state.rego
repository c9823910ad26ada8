package kafka.engine

import data.kafka.base.reads
import data.kafka.base.settings
import data.kafka.cluster
import data.kafka.engine.made_topics
import data.kafka.engine.topic_defaults
import data.kafka.model.topics
import data.kafka.operations

# METADATA
# description: |
#   What the state's source may not see: `needed` by the decision, or `counted` without (`topics.lacking`). Nearly
#   always there is nothing.
_missing_state(document) := {
	"needed": array.concat(_missing_parts(document), fields.needed),
	"counted": fields.counted,
} if {
	fields := topics.lacking(document)
} else := {"needed": _missing_parts(document), "counted": []}

# METADATA
# description: |
#   The parts of the cluster's state that a decision needs and the state's source may not see, or not all of
#   (`meta.unknown`). Of topics and brokers those that are there are known.
_missing_parts(document) := _needed_unknown_parts(unknown, document) if {
	unknown := document.clusterState.meta.unknown
} else := [] if {
	document.clusterState
} else := _needed_unknown_parts(unknown, document) if {
	unknown := data.clusters[document.cluster].meta.unknown
} else := []

_needed_unknown_parts(unknown, document) := [part |
	some part in unknown
	part in operations[document.operation].reads
	_is_read_by_rules(part)
	not _is_dispensable(part, document)
]

# What only disabled rules read is not needed; a bundle that does not say what its rules read needs all.
_is_read_by_rules(part) if part in reads.state.parts

_is_read_by_rules(_) if not data.catalog.state

_is_read_by_rules(_) if reads.state.all

_is_dispensable("topics", document) if cluster.topic(document, document.request.topic)

# Topics are read of a request about a broker where that is about what they inherit. A start is compared with what is
# known of them.
_is_dispensable(part, document) if {
	part in {"defaults", "topics"}
	document.operation == "AlterBroker"
	not topic_defaults.is_named(document)
}

_is_dispensable(part, document) if {
	part in {"clusterSize", "defaults", "topics"}
	document.operation == "StartBroker"
}

# What is read of topics that brokers make is needed where a request is about these.
_is_dispensable(part, document) if {
	part in _made_topic_parts_by_operation[document.operation]
	not made_topics.is_named(document)
}

_is_dispensable("brokers", document) if cluster.part(document, "brokers")[document.request.broker].configs

# What a name tells is needed where a request says which labels its topic will have.
_is_dispensable("labelPatterns", document) if {
	document.operation == "AlterTopic"
	not document.request.labels
}

_made_topic_parts_by_operation := {
	"AlterBroker": {"clusterSize", "labelPatterns", "namesByMetric", "resourceConfigs", "totals"},
	"AlterConfig": {"clusterSize", "defaults", "labelPatterns", "namesByMetric", "topics", "totals"},
	"StartBroker": {"labelPatterns", "namesByMetric", "resourceConfigs", "totals"},
}

# METADATA
# description: What speaks against going by a state that lacks these; null where nothing does.
_missing_state_doubt({"needed": [], "counted": []}, _, _, _) := null

_missing_state_doubt(withheld, cluster_name, enforcement_point, operation) := doubt if {
	withheld != {"needed": [], "counted": []}
	action := _action_when_unknown(settings.freshness(cluster_name, enforcement_point, _operation_in_settings(operation)))
	needed := _needed_parts_doubt(action, withheld.needed, cluster_name, operation)
	doubt := _joint_doubt(needed, _counted_fields_doubt(action, withheld.counted, cluster_name, operation))
}

_counted_fields_doubt("ignore", _, _, _) := null

_counted_fields_doubt(_, [], _, _) := null

_counted_fields_doubt(action, fields, cluster_name, operation) := {"then": "warn", "line": line} if {
	action != "ignore"
	fields != []
	line := concat("", [
		$"unknown: the source of cluster '{cluster_name}' may not see {concat(", ", fields)}: {operation} counts the ",
		$"replicas that are there; {_rights_advice_by_action.warn}",
	])
}

_needed_parts_doubt("ignore", _, _, _) := null

_needed_parts_doubt(_, [], _, _) := null

_needed_parts_doubt(action, parts, cluster_name, operation) := {"then": action, "line": line} if {
	action != "ignore"
	parts != []
	line := concat("", [
		$"unknown: the source of cluster '{cluster_name}' may not see all of {concat(", ", parts)}, which {operation} needs:",
		$" {_rights_advice_by_action[action]}",
	])
}

_action_when_unknown(limit) := object.get(limit, "whenUnknown", "deny")

# Parts of an audit go by what the settings say of the whole.
_operation_in_settings(operation) := "AuditTopic" if operations[operation].subject == "part"

_operation_in_settings(operation) := operation if operations[operation].subject != "part"

_rights_advice_by_action := {
	"deny": "give it the rights that meta.missing names, then ask again",
	"warn": "give it the rights that meta.missing names",
}

# METADATA
# description: Two doubts as one. What is decided without the state needs nothing of it.
_joint_doubt(stale, null) := stale

_joint_doubt(null, unknown) := unknown

_joint_doubt(stale, _) := stale if stale.then == "request"

_joint_doubt(stale, unknown) := {"then": min({stale.then, unknown.then}), "line": $"{stale.line}; {unknown.line}"} if {
	stale.then in {"deny", "warn"} # of which the first is the more severe
}
