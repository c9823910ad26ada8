# METADATA
# title: Policies of the older kind
# description: |
#   Rego that a site wrote for the shapes of Kafka's CreateTopicPolicy and AlterConfigPolicy goes on working. Where the
#   settings name its package, its `deny` is evaluated with exactly what Kafka gives such a policy (Kafka 4.3), and each
#   message denies.
# scope: subpackages
# schemas:
#   - input: schema.rule_input
package kafka.engine.legacy

import data.kafka.lists
import data.kafka.violation

# METADATA
# description: What the older policies that the settings name have against the prepared document in `input`.
deny contains violation.new(metadata, {"message": message}, [], []) if {
	some setting, name in _policies_by_setting(data.settings.compiled.policies)
	some message in _policy_messages(name, _request_metadata[setting])
	metadata := _violation_metadata[setting]
}

# In a bundle the settings are constants, and a reference into an empty one is refused when it is built. All of them at
# once cost 200 allocations a decision.
_policies_by_setting(policies) := policies

_violation_metadata[setting] := {"custom": {
	"id": setting,
	"severity": "high",
	"message": "{message}",
	"fix": $"change what the message names: the older policy of {setting} denies it",
}} if {
	some setting in ["create.topic.policy", "alter.config.policy"]
}

# CreateTopicPolicy.RequestMetadata: either numbers, which are never -1, or assignments.
_request_metadata["create.topic.policy"] := {
	"topic": input.topic,
	"numPartitions": _number_unless_assigned(input.requested.numPartitions),
	"replicationFactor": _number_unless_assigned(input.requested.replicationFactor),
	"replicasAssignments": _manual_assignments_or_null,
	"configs": input.requested.configs,
} if {
	input.operation == "CreateTopic"
}

_number_unless_assigned(number) := number if input.requested.generatedReplicaAssignments

_number_unless_assigned(_) := null if not input.requested.generatedReplicaAssignments

_manual_assignments_or_null := null if input.requested.generatedReplicaAssignments

_manual_assignments_or_null := input.requested.replicasAssignments if not input.requested.generatedReplicaAssignments

# AlterConfigPolicy.RequestMetadata. Kafka asks this policy first when a topic is created with configs.
_request_metadata["alter.config.policy"] := {"resource": _config_resource, "configs": _policy_configs}

_config_resource := {"type": "TOPIC", "name": input.topic} if input.operation in {"CreateTopic", "AlterTopic"}

_config_resource := {"type": "BROKER", "name": input.broker} if input.operation == "AlterBroker"

# The broker sets the levels of its loggers by itself, and no policy hears of it.
_config_resource := {"type": upper(replace(input.resource.type, "-", "_")), "name": input.resource.name} if {
	input.operation == "AlterConfig"
	input.resource.type != "broker-logger"
}

_policy_configs := input.requested.configs if {
	input.operation == "CreateTopic"
	input.requested.configs != {}
}

# Only what changes, null where it is removed; what a full replacement removes unsaid stays hidden (KAFKA-14195).
_policy_configs := {name: text |
	some name, text in input.change.explicit
	object.get(input.change.before, name, null) != text
} if {
	input.operation in {"AlterTopic", "AlterConfig"}
	input.request.configs
}

# Of brokers all that is named, whether it changes or not.
_policy_configs := input.change.explicit if input.operation == "AlterBroker"

_policy_messages(package_name, metadata) := {lists.string_form(message) | some message in denials} if {
	denials := data.site.legacy[trim_prefix(package_name, "site.legacy.")].deny with input as metadata
	type_name(denials) in {"set", "array"}
} else := {$"{package_name}.deny is not there, or is not a set of messages: load the bundle that has it"} if {
	metadata
}
