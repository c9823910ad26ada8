package kafka.rules.deletion

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: No topic in use is deleted
# description: |
#   A group with members still reads the topic, and a producer that wrote lately still writes it: with automatic
#   creation they bring it back empty, without it they fail.
# related_resources:
#   - https://kafka.apache.org/documentation/#basic_ops_consumer_lag
# custom:
#   id: KFK-DEL-002
#   severity: critical
#   operations: [DeleteTopic]
#   reversible: false
#   params:
#     idleForMs:
#       type: integer
#       minimum: 0
#       description: Milliseconds for which nothing was written before a topic counts as unused.
#   messages:
#     readers: "topic \"{topic}\" may be in use, groups with members read it: {groups}"
#     written: "topic \"{topic}\" may be in use, its latest record is {age} ms old, less than {idle}"
#     consumers: "topic \"{topic}\" may be in use, the cluster's state does not tell which groups read it"
#     writes: "topic \"{topic}\" may be in use, the cluster's state does not tell when it was last written"
#   fixes:
#     readers: stop what reads and writes the topic, wait until it has been idle for {idle} ms, and delete it then
#     written: stop what reads and writes the topic, wait until it has been idle for {idle} ms, and delete it then
#     consumers: >-
#       ask with a state that tells consumers: warden replicate keeps one in OPA, with which --state replicated
#       asks, and its meta.missing says what it lacks and why
#     writes: >-
#       ask with a state that tells writes: warden replicate keeps one in OPA, with which --state replicated
#       asks, and its meta.missing says what it lacks and why
deny contains violation.new(rego.metadata.rule(), args, ["topic"], []) if {
	input.operation == "DeleteTopic"
	params := input.params["KFK-DEL-002"]
	some use in ({one | one := _active_readers_args} | {one | one := _recent_writes_args(params.idleForMs)})
	args := object.union(use, {"topic": input.topic, "idle": params.idleForMs})
}

# What is not known may be there.
_active_readers_args := {"case": "readers", "groups": concat(", ", _active_groups)} if {
	_active_groups != []
} else := {"case": "consumers"} if {
	not _active_groups
}

_active_groups := sort([group | some group, consumer in groups; not consumer.members == 0]) if {
	groups := object.get(cluster.part(input, "consumers"), input.topic, {})
}

_recent_writes_args(idle_for) := {"case": "written", "age": floor(_idle_ms)} if {
	_idle_ms < idle_for
} else := {"case": "writes"} if {
	not _idle_ms
	not _is_never_written
}

_is_never_written if cluster.part(input, "writes")[input.topic] == null

_idle_ms := (input.now - time.parse_rfc3339_ns(latest)) / time.parse_duration_ns("1ms") if {
	latest := cluster.part(input, "writes")[input.topic]
}
