# METADATA
# title: Clients
# description: What a cluster tells its clients about their own configs.
package kafka.rules.clients

import data.kafka.violation

# METADATA
# title: Producers wait for all in-sync replicas
# description: |
#   With less than acks=all a producer takes a record for written that one broker can lose, whatever the topic's floor
#   is; it also turns idempotence off where nothing demands it.
# related_resources:
#   - https://kafka.apache.org/documentation/#producerconfigs_acks
# custom:
#   id: KFK-CLI-001
#   severity: high
#   operations: [AlterClientConfigs, AuditClientConfigs]
#   params:
#     exemptUsers:
#       type: array
#       items: {type: string}
#       description: Users that may do with less; * matches any characters.
#   message: "acks={acks} would be in force for {entity}, which is less than all"
#   fix: set acks to all, or remove it
deny contains violation.new(rego.metadata.rule(), {"acks": acks, "entity": _entity}, ["ops", "acks"], []) if {
	input.operation in {"AlterClientConfigs", "AuditClientConfigs"}
	params := input.params["KFK-CLI-001"]
	acks := input.effective.configs.acks
	acks != "-1"
	not _exempt(input.entity, params)
}

# The default user is everybody, so that no pattern exempts it.
_exempt(entity, params) if {
	is_string(entity.user)
	some pattern in params.exemptUsers
	glob.match(pattern, null, entity.user)
}

_entity := concat(", ", [part |
	some field in ["user", "clientId"]
	name := input.entity[field]
	part := _part(field, name)
])

_part(field, null) := $"any {field}"

_part(field, name) := $"{field} {name}" if name != null
