# METADATA
# title: Clients
# description: What a cluster tells its clients about their own configs.
package kafka.rules.clients

import data.kafka.base.globs
import data.kafka.violation

# METADATA
# title: Producers wait for all in-sync replicas
# description: |
#   With less than acks=all a producer takes a record for written that one broker can lose, whatever the topic's floor
#   is; it also turns idempotence off where nothing demands it. What is set for a default entity no client reads, so
#   that it is not in force (KFK-CLI-006).
# related_resources:
#   - https://kafka.apache.org/documentation/#producerconfigs_acks
# custom:
#   id: KFK-CLI-001
#   severity: high
#   controls: [SOC2 PI1.5]
#   order: {of: waits, from: all}
#   operations: [AlterClientConfigs, AuditClientConfigs]
#   params:
#     exemptUsers:
#       type: array
#       items: {type: string, format: glob}
#       description: Users that may do with less; * matches any characters.
#   message: "acks={acks}, in force for {entity}, is less than all"
#   fixes:
#     own: set acks to all, or remove it
#     user: set acks to all for the client, or for its user, who has {acks}
deny contains violation.new(rego.metadata.rule(), args, ["ops", "acks"], []) if {
	input.operation in {"AlterClientConfigs", "AuditClientConfigs"}
	params := input.params["KFK-CLI-001"]
	acks := input.effective.configs.acks
	acks != "-1"
	not _default_entity_text
	not globs.has_match(params.exemptUsers, object.get(input.entity, "user", null))
	args := {
		"acks": acks,
		"entity": _entity_text,
		"waits": object.get(_waited_broker_count_by_acks, acks, acks),
		"all": count(_waited_broker_count_by_acks),
		"case": _acks_origin,
	}
}

# Where a client has none of its own, its user's are in force.
default _acks_origin := "user"

_acks_origin := "own" if input.requested.configs.acks

# For how many brokers a producer waits, where 2 stands for all that are in sync.
_waited_broker_count_by_acks := {"0": 0, "1": 1}
