# METADATA
# title: The decision about a KafkaTopic of Strimzi's as conftest wants it
# description: As `warden check` decides on one without a cluster; what is known of none is in data.files.unknown.
package bench

deny contains message if some message in _decision.errors

deny contains "nothing was decided" if not _decision

_decision := decision if {
	decision := data.kafka.decision with input as _document
}

_document := {
	"operation": "CreateTopic",
	"cluster": "unnamed",
	"enforcementPoint": "ci",
	"clusterState": {},
	"unknown": data.files.unknown,
	"request": {
		"topic": input.metadata.name,
		"numPartitions": input.spec.partitions,
		"replicationFactor": input.spec.replicas,
		"configs": {name: format_int(value, 10) | some name, value in input.spec.config},
	},
}
