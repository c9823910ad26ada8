package kafka.rules.sizing

import data.kafka.cluster

# METADATA
# description: Replicas of each broker that gets some by name; null where those that it holds are not known.
_placed_replica_counts contains [_broker_text(id), replicas, ["replicasAssignments"]] if {
	some id, gained in _replica_gain_by_broker
	replicas := _replica_count_after(_held_replica_count(id), gained)
}

# The replicas that brokers get which the request names, by their ids as texts.
_replica_gain_by_broker[json.marshal(id)] := gained if {
	_changed_assignments != {}
	before := _replica_assignments(input.current)
	added := [id | some replicas in _changed_assignments; some id in replicas]
	removed := [id | some partition, _ in _changed_assignments; some id in object.get(before, partition, [])]
	some id in {id | some id in added}
	gained := count([x | some x in added; x == id]) - count([x | some x in removed; x == id])
	gained > 0
}

_broker_text(id) := $"broker {id}"

# A broker that is not listed holds nothing yet.
_held_replica_count(id) := object.get(held, id, 0) + cluster.pending(input, ["totals", "byBroker", id]) if {
	held := cluster.part(input, "totals").byBroker
} else := null

_replica_count_after(null, _) := null

_replica_count_after(held, gained) := held + gained if held != null

_replicas_per_broker(more) := ceil((held + more) / size) if {
	held := cluster.part(input, "totals").replicas + cluster.pending(input, ["totals", "replicas"])
	size := cluster.part(input, "clusterSize")
} else := null
