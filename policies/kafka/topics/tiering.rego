package kafka.topics

import data.kafka.cluster
import data.kafka.configs
import data.kafka.errors

# METADATA
# description: |
#   What Kafka refuses of overrides that ask for tiered storage (LogConfig.validateRemoteStorageOnlyIfSystemEnabled,
#   4.3). Controllers look at their own configuration, which nobody tells: it is taken to be off where every broker
#   tells that its own is.
_not_tiered(document, overrides) := {errors.new("INVALID_CONFIG", message) |
	configs.typed("topic", "remote.storage.enable", overrides["remote.storage.enable"])
	brokers := object.remove(cluster.part(document, "brokers"), [""]) # no default of all brokers can turn it on
	{object.get(broker, ["configs", "remote.log.storage.system.enable"], null) | some broker in brokers} == {"false"}
	message := concat("", [
		"Tiered Storage functionality is disabled in the broker. ",
		"Topic cannot be configured with remote log storage.",
	])
}
