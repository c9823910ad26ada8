package kafka.rules.clients

import data.kafka.violation

# METADATA
# title: Producers compress as they may
# description: |
#   Records travel and lie on disks as the producer compressed them: with none they take several times as much, with an
#   uncommon codec some consumers cannot read them. Evaluated where the cluster's state has the application's own
#   configs.
# related_resources:
#   - https://kafka.apache.org/documentation/#producerconfigs_compression.type
# custom:
#   id: KFK-CLI-002
#   severity: low
#   operations: [AuditClientConfigs]
#   params:
#     allowed:
#       type: array
#       minItems: 1
#       items: {enum: [none, gzip, lz4, snappy, zstd]}
#       description: Values of compression.type that producers may have.
#   message: producers of {entity} compress with {actual}; allowed are {allowed}
#   fix: "set compression.type to one of these: {allowed}"
deny contains violation.new(rego.metadata.rule(), args, ["configs", "compression.type"], []) if {
	input.operation == "AuditClientConfigs"
	params := input.params["KFK-CLI-002"]
	actual := _static_config_or_default("producer", "compression.type")
	not actual in params.allowed
	args := {"entity": _entity_text, "actual": actual, "allowed": concat(", ", params.allowed)}
}
