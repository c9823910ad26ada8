package kafka.model.brokers

import data.kafka.base.errors

# METADATA
# description: |
#   The conflict of KIP-201: a broker has the one policy for topics or the older ones beside each other, never both. No
#   released Kafka knows the former; a site's own may. An empty text names no policy.
_policy_conflict_errors(texts) := {errors.new("INVALID_CONFIG", message) |
	texts["topic.management.policy.class.name"] != ""
	some older in ["create.topic.policy.class.name", "alter.config.policy.class.name"]
	texts[older]
	message := $"topic.management.policy.class.name and {older} exclude each other: set one of them"
}
