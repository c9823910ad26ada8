package kafka.rules.clients

import data.kafka.base.bounds
import data.kafka.client_configs
import data.kafka.violation

# METADATA
# title: Dynamic client configs are supported, in range and take effect
# description: |
#   One change reaches every client of a user at once. Clients discard a heartbeat that is not
#   below the session timeout, both keys of it, and never read what is set for a default entity:
#   such a change seems to work and does nothing.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-649%3A+Dynamic+Client+Configuration
# custom:
#   id: KFK-CLI-006
#   severity: high
#   order: {of: value, from: limit}
#   operations: [AlterClientConfigs, AuditClientConfigs]
#   params:
#     keys: {type: array, items: {type: string}, description: Keys that may be set for clients.}
#     bounds:
#       type: object
#       description: Least and greatest value by key, in the key's own unit.
#       additionalProperties:
#         type: object
#         additionalProperties: false
#         properties: {min: {type: number}, max: {type: number}}
#   messages:
#     key: "{key} is not to be set for clients"
#     range: "{key}={value} is {direction} of {limit}"
#     value: Invalid value {fault}
#     heartbeat: >-
#       heartbeat.interval.ms={value} is not below session.timeout.ms={limit} once the user's and the client's
#       configs are laid over each other: clients discard both
#     clientId: >-
#       heartbeat.interval.ms={value} is not below session.timeout.ms={limit} once the configs of clientId {clientId}
#       are laid over its user's: it discards both
#     default: "{key} takes no effect: no client reads what is set for {default}"
#   fixes:
#     key: remove {key}, or use {keys}
#     range: use {limit}
#     value: set {key} to a value that clients take, or remove it
#     heartbeat: set heartbeat.interval.ms well below session.timeout.ms, a third of it or less
#     clientId: >-
#       set heartbeat.interval.ms well below session.timeout.ms, a third of it or less, or alter clientId {clientId}
#       first
#     default: name the user, and the client-id if any
deny contains violation.new(rego.metadata.rule(), args, _dynamic_path(args), []) if {
	input.operation in {"AlterClientConfigs", "AuditClientConfigs"}
	params := input.params["KFK-CLI-006"]
	some args in _dynamic_problems(params)
}

# Of several clients each has its own place, so that what was wrong before is found of each.
_dynamic_path(args) := array.concat(["ops", args.key], [client_id | client_id := args.clientId])

_dynamic_problems(params) := union({
	{{"case": "key", "key": key, "keys": concat(", ", params.keys)} |
		some key, _ in input.requested.configs
		not key in params.keys
	},
	{object.union(broken, {"case": "range", "key": key, "value": value}) |
		some key, value in input.requested.values
		broken := bounds.broken(value, params.bounds[key])
	},
	{{"case": "value", "key": key, "fault": trim_prefix(problem, "Invalid value ")} |
		some key, text in input.requested.configs
		problem := client_configs.value_problem(key, text)
		not key in _keys_out_of_bounds(params)
	},
	{object.union(discarded, {"case": "heartbeat"}) |
		not _default_entity_text
		discarded := _discarded_heartbeat(input.effective.values)
	},
	{object.union(discarded, {"case": "clientId", "clientId": client_id}) |
		some client_id, values in _values_by_client_id
		discarded := _discarded_heartbeat(values)
	},
	{{"case": "default", "key": key, "default": _default_entity_text} |
		some key, _ in input.requested.configs
	},
})

_keys_out_of_bounds(params) := {key |
	some key, value in input.requested.values
	bounds.broken(value, params.bounds[key])
}
