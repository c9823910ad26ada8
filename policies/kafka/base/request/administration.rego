package kafka.base.request

# METADATA
# description: Types of what requests about a cluster as a whole carry.
# scope: rule
is_a("featureUpdates", value) if {
	every update in value { _is_feature_update(update) }
}

is_a("electionType", value) if value in _election_types

is_a("topicPartitions", value) if {
	every one in value { _are_topic_partitions(one) }
}

is_a("offsetPartitions", value) if {
	every one in value { _are_offset_partitions(one) }
}

is_a("groupOffsets", value) if {
	every one in value { _is_group_offset(one) }
}

is_a("directoryReplicas", value) if {
	every one in value { _are_directory_replicas(one) }
}

_is_feature_update({"feature": feature, "maxVersionLevel": level, "upgradeType": type}) if {
	is_string(feature)
	_is_integer(level)
	type in _upgrade_types
}

# FeatureUpdate.UpgradeType of Kafka's AdminClient.
_upgrade_types := ["UPGRADE", "SAFE_DOWNGRADE", "UNSAFE_DOWNGRADE"]

_are_topic_partitions({"topic": topic, "partitions": partitions}) if {
	is_string(topic)
	is_array(partitions)
	every partition in partitions { _is_integer(partition) }
}

# Of a share group the offsets of all partitions of a topic go at once.
_are_offset_partitions({"topic": topic, "partitions": null}) if is_string(topic)

_are_offset_partitions(one) if _are_topic_partitions(one)

_is_group_offset({"topic": topic, "partition": partition, "offset": offset}) if {
	is_string(topic)
	_is_integer(partition)
	_is_integer(offset)
}

_are_directory_replicas({"topic": topic, "partitions": partitions, "directory": directory}) if {
	is_string(directory)
	_are_topic_partitions({"topic": topic, "partitions": partitions})
}

# ElectionType of Kafka's AdminClient.
_election_types := ["PREFERRED", "UNCLEAN"]
