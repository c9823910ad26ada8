package kafka.model.topics

import data.kafka.base.errors
import data.kafka.cluster

# METADATA
# description: |
#   What Kafka refuses of assignments that a client gives (ReplicationControlManager, Kafka 4.3), in its own words.
_manual_assignment_errors(request) := union({
	_count_with_assignment_errors(request, assignments),
	_partition_numbering_errors(assignments),
	_replica_list_errors([replicas | some replicas in assignments], count(assignments[min(object.keys(assignments))])),
}) if {
	assignments := object.get(request, "replicasAssignments", {})
	assignments != {}
} else := set()

_count_with_assignment_errors(request, assignments) := {errors.new("INVALID_REQUEST", message) |
	assignments != {}
	some field, words in {"replicationFactor": "replication factor", "numPartitions": "numPartitions"}
	object.get(request, field, -1) != -1
	message := $"A manual partition assignment was specified, but {words} was not set to -1."
}

_partition_numbering_errors(assignments) := {errors.new("INVALID_REPLICA_ASSIGNMENT", message) |
	object.keys(assignments) != {format_int(i, 10) | some i in numbers.range(0, count(assignments) - 1)}
	message := "partitions should be a consecutive 0-based integer sequence"
}

# Each list names brokers once, and as many as the topic's other partitions have.
_replica_list_errors(lists, replication_factor) := {errors.new("INVALID_REPLICA_ASSIGNMENT", message) |
	some replicas in lists
	message := _replica_list_message(replicas, replication_factor)
}

_replica_list_message([], _) := "The manual partition assignment includes an empty replica list."

_replica_list_message(replicas, replication_factor) := message if {
	twice := min({broker | some i, broker in replicas; broker in array.slice(replicas, 0, i)})
	message := $"The manual partition assignment includes the broker {twice} more than once."
} else := message if {
	count(replicas) != replication_factor
	replicas != []
	message := concat("", [
		$"The manual partition assignment includes a partition with {count(replicas)} replica(s), ",
		$"but this is not consistent with previous partitions, which have {replication_factor} replica(s).",
	])
}

_new_assignment_errors(request, topic) := ({errors.new("INVALID_REQUEST", message) |
	message := "newAssignments was specified without numPartitions."
	request.newAssignments
	not request.numPartitions
} | {errors.new("INVALID_REPLICA_ASSIGNMENT", message) |
	added := request.numPartitions - topic.numPartitions
	added > 0
	count(request.newAssignments) != added
	message := concat("", [
		$"Attempted to add {added} additional partition(s), but only {count(request.newAssignments)} assignment(s) were ",
		"specified.",
	])
}) | _replica_list_errors(object.get(request, "newAssignments", []), count(topic.replicasAssignments["0"]))

_reassignment_errors(request, topic) := ({errors.new("UNKNOWN_TOPIC_OR_PARTITION", message) |
	some partition, _ in request.reassignments
	not topic.replicasAssignments[partition]
	message := $"Unable to find partition {request.topic}:{partition}."
} | {errors.new("INVALID_REPLICA_ASSIGNMENT", message) |
	some partition, replicas in request.reassignments
	replicas != null
	message := _replica_list_message(replicas, count(replicas))
}) | {errors.new("NO_REASSIGNMENT_IN_PROGRESS", "No partition reassignment is in progress.") |
	some partition, null in request.reassignments
	topic.replicasAssignments[partition]
	topic.reassigning # else nobody knows
	not topic.reassigning[partition]
}

# Kafka counts replicas once it knows their brokers.
_replication_factor_change_errors(document, topic) := {errors.new("INVALID_REPLICATION_FACTOR", message) |
	document.request.allowReplicationFactorChange == false
	some partition, replicas in document.request.reassignments
	not _replica_list_message(replicas, count(replicas))
	_unknown_broker_errors(document, [replicas]) == set()
	leaving := object.get(topic, ["reassigning", partition, "removing"], [])
	stays := [broker | some broker in topic.replicasAssignments[partition]; not broker in leaving]
	count(stays) != count(replicas)
	message := $"The replication factor is changed from {count(stays)} to {count(replicas)}"
}

# How many replicas are wanted is not a part of Kafka's request, which has their brokers: one of the two can be decided
# on.
_replication_factor_errors(request) := {errors.new("INVALID_REPLICATION_FACTOR", message) |
	request.replicationFactor < 1
	message := "Replication factor must be larger than 0."
} | {errors.new("INVALID_REQUEST", message) |
	request.replicationFactor
	some field in ["allowReplicationFactorChange", "newAssignments", "reassignments"]
	field in object.keys(request)
	message := $"replicationFactor says how many replicas are wanted, {field} where they go: give one of the two."
}

# What brokers there are is known of a cluster that tells of any.
_unknown_broker_errors(document, lists) := {errors.new("INVALID_REPLICA_ASSIGNMENT", message) |
	count(lists) > 0
	brokers := object.keys(cluster.part(document, "brokers"))
	brokers != set()
	some replicas in lists
	unknown := min({broker | some broker in replicas; not format_int(broker, 10) in brokers})
	message := $"The manual partition assignment includes broker {unknown}, but no such broker is registered."
}

_reassignment_targets(request) := [replicas | some replicas in request.reassignments; replicas != null]

_too_few_brokers_errors(document) := {errors.new("INVALID_REPLICATION_FACTOR", message) |
	known := cluster.part(document, "brokers")
	_invalid_count_errors(document.request) == set() # which Kafka looks at first
	object.get(document.request, "replicasAssignments", {}) == {}
	factor := _replication_factor(document, {})
	factor >= count(known) # which nearly none asks for
	brokers := count(known) - count({true | known[""]}) # the default of all is not a broker; configs are not read
	factor > brokers
	brokers > 0
	message := concat("", [
		$"Unable to replicate the partition {factor} time(s): The target replication factor of {factor} cannot be reached ",
		$"because only {brokers} broker(s) are registered or some brokers have all their log directories cordoned.",
	])
}
