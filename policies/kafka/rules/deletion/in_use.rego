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
#   message: topic "{topic}" may be in use, {why}
#   fix: "{remedy}"
deny contains violation.new(rego.metadata.rule(), args, ["topic"], []) if {
	input.operation == "DeleteTopic"
	params := input.params["KFK-DEL-002"]
	some why in _uses(params.idleForMs)
	args := {"topic": input.topic, "why": why, "remedy": _remedy(why, _stop(params.idleForMs))}
}

_uses(idle_for) := {_readers, _writers(idle_for)} - {""}

_stop(idle_for) := concat("", [
	"stop what reads and writes the topic, wait until it has been idle ",
	$"for {idle_for} ms, and delete it then",
])

# What is not known may be there.
_readers := "" if {
	_active == []
} else := $"groups with members read it: {concat(", ", _active)}" if {
	_active
} else := _unknown.consumers

_active := sort([group | some group, consumer in groups; not consumer.members == 0]) if {
	groups := object.get(cluster.part(input, "consumers"), input.topic, {})
}

_writers(idle_for) := "" if {
	_idle_ms >= idle_for
} else := "" if {
	cluster.part(input, "writes")[input.topic] == null
} else := $"its latest record is {floor(_idle_ms)} ms old, less than {idle_for}" if {
	_idle_ms
} else := _unknown.writes

_idle_ms := (input.now - time.parse_rfc3339_ns(latest)) / time.parse_duration_ns("1ms") if {
	latest := cluster.part(input, "writes")[input.topic]
}
