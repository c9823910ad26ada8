package kafka.rules.config_keys

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: Configs that are known
# description: |
#   Of a setting that the catalogue lacks and that the cluster may have, a newer Kafka's or a vendor's, nobody here can
#   say which values it takes. What stands there already is left alone.
# related_resources:
#   - https://kafka.apache.org/documentation/#configuration
# custom:
#   id: KFK-CFG-003
#   severity: medium
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic, AlterBroker, AlterConfig]
#   params: {}
#   messages:
#     known: >-
#       {name} is not known to this Warden: its catalogue of {kind} is that of Kafka {kafka}, the cluster's that of
#       {release}
#     unknown: >-
#       {name} is not known to this Warden: its catalogue of {kind} is that of Kafka {kafka}, and which one the cluster
#       has is not known
#   fix: look {name} up in the documentation of the cluster's brokers; if it is misspelt, correct it
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], []) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic", "AlterBroker", "AlterConfig"}
	input.params["KFK-CFG-003"]
	some name in _unlisted_keys(_config_kind)
	args := {
		"case": _release_case(_cluster_release),
		"name": name,
		"kind": object.get(_plural_by_config_kind, _config_kind, ""),
		"kafka": data.catalog.topic.kafka,
		"release": _cluster_release,
	}
}

_plural_by_config_kind := {"topic": "topics", "broker": "brokers", "group": "groups", "clientMetrics": "client metrics"}

default _cluster_release := null

_cluster_release := cluster.part(input, "catalog").release

_release_case(null) := "unknown"

_release_case(release) := "known" if release != null
