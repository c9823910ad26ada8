package kafka.model.topics

import data.kafka.base.errors
import data.kafka.cluster

# METADATA
# description: |
#   What Kafka refuses of a new topic's name, before anything else of its creation and before it asks its policies
#   (ControllerApis.createTopics and ReplicationControlManager.validateNewTopicNames, 4.3).
new_name(document) := {errors.new("INVALID_REQUEST", message)} if {
	document.request.topic == "__cluster_metadata"
	message := "Creation of internal topic __cluster_metadata is prohibited."
} else := found if {
	found := illegal_name(document.request.topic)
	found != set()
} else := {errors.new("INVALID_TOPIC_EXCEPTION", message) |
	name := document.request.topic
	others := cluster.part(document, "namesByMetric")[replace(name, ".", "_")]
	not name in others # then it exists, which is all that Kafka says
	message := $"Topic '{name}' collides with existing topic: {min(others)}"
}

# METADATA
# description: What Kafka refuses of a topic's name by itself (org.apache.kafka.common.internals.Topic, 4.3).
illegal_name(name) := set() if {
	regex.match(`^[a-zA-Z0-9._-]+$`, name)
	count(name) <= data.catalog.limits.topicName
	not name in {".", ".."}
} else := {errors.new("INVALID_TOPIC_EXCEPTION", $"Topic name is invalid: {_name_problem(name)}")}

_name_problem(name) := "the empty string is not allowed" if {
	name == ""
} else := $"'{name}' is not allowed" if {
	name in {".", ".."}
} else := $"the length of '{name}' is longer than the max allowed length {data.catalog.limits.topicName}" if {
	count(name) > data.catalog.limits.topicName
} else := $"'{name}' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"
