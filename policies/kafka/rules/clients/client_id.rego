package kafka.rules.clients

import data.kafka.violation

# METADATA
# title: Clients say who they are
# description: |
#   Quotas, logs and configs of one application are distinguished by its client.id; what Kafka makes up where it is
#   missing (producer-1, consumer-group-1) changes with each start.
# related_resources:
#   - https://kafka.apache.org/documentation/#producerconfigs_client.id
# custom:
#   id: KFK-CLI-005
#   severity: low
#   operations: [AlterClientConfigs, AuditClientConfigs, DescribeClientConfigs]
#   params:
#     pattern: {type: string, format: regex, description: What a client.id looks like.}
#   messages:
#     pattern: client.id {clientId} does not match {pattern}
#     missing: a client of user {user} has no client.id
#   fix: give the application a client.id that matches {pattern}
deny contains violation.new(rego.metadata.rule(), args, ["entity", "clientId"], []) if {
	input.operation in {"AlterClientConfigs", "AuditClientConfigs", "DescribeClientConfigs"}
	params := input.params["KFK-CLI-005"]
	problem := _client_id_args(input.operation, input.entity, params)
	args := object.union(problem, {"pattern": params.pattern})
}

_client_id_args(_, entity, params) := {"case": "pattern", "clientId": entity.clientId} if {
	is_string(entity.clientId)
	not regex.match(params.pattern, entity.clientId)
}

# A client that resolves itself has one entity; a user alone is what an administrator describes or alters.
_client_id_args("DescribeClientConfigs", entity, _) := {"case": "missing", "user": entity.user} if {
	not entity.clientId
}
