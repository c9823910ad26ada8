package kafka.model.topics

import data.kafka.base.errors
import data.kafka.configs
import data.kafka.model.learnt

# METADATA
# description: |
#   What Kafka refuses of an alteration of a topic that is not there: of one of its configs it looks at the operations,
#   at the topic's name and at the values before it looks for the topic (ConfigurationControlManager, 4.3). Of
#   partitions that move it has words of its own (ReplicationControlManager).
_missing_topic_errors(document) := found if {
	change := document.request.configs
	lists := learnt.possible_lists(document, "topic", change)
	found := configs.change_errors("topic", change, lists) | configs.too_long({}, configs.after("topic", {}, change))
	found != set()
} else := {errors.new("INVALID_REQUEST", "Default topic resources are not allowed.")} if {
	document.request.configs
	document.request.topic == ""
} else := found if {
	document.request.configs
	found := illegal_name(document.request.topic)
	found != set()
} else := found if {
	change := document.request.configs
	after := configs.after("topic", {}, change)
	lists := learnt.possible_lists(document, "topic", change)
	found := configs.refusals("topic", {}, change, lists) | _unknown_config_errors(document, {}, after)
	found != set()
} else := {errors.new("UNKNOWN_TOPIC_OR_PARTITION", message)} if {
	document.request.reassignments
	not stored(document) # else it is there and cannot be read
	message := $"Unable to find a topic named {document.request.topic}."
} else := {errors.new("UNKNOWN_TOPIC_OR_PARTITION", message)} if {
	document.request.configs
	not stored(document) # else it is there and cannot be read
	message := $"The topic '{document.request.topic}' does not exist."
} else := missing(document)
