package kafka.rules.messages

import data.kafka.topics
import data.kafka.violation

# METADATA
# title: No unknown settings
# description: |
#   A misspelt setting is refused on apply, or stored and without effect; a
#   vendor's own is known where the vendor is named.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs
# custom:
#   id: KFK-MSG-006
#   severity: high
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     vendors:
#       type: array
#       items: {enum: [aiven, automq, confluent, redpanda]}
#       description: Vendors whose settings are known besides Apache Kafka's.
#   message: "{name} is no setting of topics in Kafka {kafka}{vendors}"
#   fix: "{fix}"
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-MSG-006"]
	some name, _ in _strangers
	not data.catalog.deprecated.topic[name]
	not topics.vendors_own(name, params.vendors)
	args := {
		"name": name,
		"kafka": data.catalog.topic.kafka,
		"vendors": concat("", [text | some vendor in params.vendors; text := $", nor of {vendor}"]),
		"fix": _meant(name),
	}
	patch := [{"op": "remove", "path": $"/configs/{name}"}]
}

# Overrides that the catalogue of topics lacks: unknown, a vendor's, or of an
# older Kafka. Looked for once for both rules.
_strangers := object.remove(input.requested.configs, data.catalog.topic.types)

_meant(name) := $"use {concat(" or ", sort(near))}" if {
	near := {known |
		some known, row in data.catalog.topic.configs
		some spelt in ({known} | {synonym.name | some synonym in row.synonyms})
		_letters(spelt) == _letters(name)
	}
	near != set()
} else := "remove it, or name the vendor whose setting it is in the parameter vendors"

_letters(name) := regex.replace(lower(name), `[^a-z0-9]`, "")
