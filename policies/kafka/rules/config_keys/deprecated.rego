package kafka.rules.config_keys

import data.kafka.violation

# METADATA
# title: No deprecated configs
# description: What a version deprecates a later one refuses; topics that still have it are in the way of an upgrade.
# related_resources:
#   - https://kafka.apache.org/documentation/#upgrade
# custom:
#   id: KFK-CFG-001
#   severity: medium
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     version: {type: string, pattern: "^[0-9]+\\.[0-9]+$", description: The version of Kafka whose deprecations count.}
#   message: "{name} is deprecated since Kafka {since} and gone in {removed}"
#   fix: "for Kafka {removed} and later: {instead}"
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-CFG-001"]
	some name, _ in object.filter(input.requested.configs, data.catalog.deprecated.topic)
	row := data.catalog.deprecated.topic[name]
	_version_numbers(row.since) <= _version_numbers(params.version)
	args := {"name": name, "since": row.since, "removed": row.removed, "instead": row.instead}
	patch := violation.removal(name)
}

_version_numbers(text) := [to_number(part) | some part in split(text, ".")]
