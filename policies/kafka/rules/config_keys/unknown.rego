package kafka.rules.config_keys

import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: No unknown configs
# description: |
#   A misspelt setting is refused on apply, or stored and without effect. What a newer Kafka may have is another rule's
#   (KFK-CFG-003); a vendor's own is known where the cluster's vendor is named.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs
# custom:
#   id: KFK-CFG-002
#   severity: high
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     vendors:
#       type: array
#       items: {enum: [aiven, automq, confluent, redpanda]}
#       description: Vendors of the cluster's brokers, whose settings are known besides Apache Kafka's.
#   message: "{name} is not a setting of topics in {releases}"
#   fixes:
#     misspelt: use {near}
#     unknown: remove it, or name the vendor whose setting it is in the parameter vendors
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-CFG-002"]
	some name in _new_uncatalogued_names
	not topics.is_vendor_config(name, params.vendors)
	meant := _meant_names(name, params.vendors)
	args := {
		"case": _spelling_case(meant),
		"name": name,
		"near": concat(" or ", sort(meant)),
		"releases": concat(" or ", array.concat([$"Kafka {data.catalog.topic.kafka}"], params.vendors)),
	}
	patch := violation.removal(name)
}

_spelling_case(set()) := "unknown"

_spelling_case(meant) := "misspelt" if meant != set()
