package kafka.model.topics

import data.kafka.base.errors
import data.kafka.cluster

# METADATA
# description: |
#   What a broker answers to a request for the metadata of a topic that is not there, where its own configs have it
#   create none (KafkaApis and AutoTopicCreationManager, 4.3). `brokerId` says which broker is meant.
_auto_creation_errors(document) := {errors.new("UNKNOWN_TOPIC_OR_PARTITION", message)} if {
	document.api.key == "Metadata"
	lower(trim_space(cluster.broker_state(document).configs["auto.create.topics.enable"])) == "false"
	message := "This server does not host this topic-partition."
}
