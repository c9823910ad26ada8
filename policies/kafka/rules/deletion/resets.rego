package kafka.rules.deletion

import data.kafka.base.globs
import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: A reset moves a group by a limited number of records
# description: |
#   Whoever puts a group's offsets back has its records processed once more, whoever puts them forward has them skipped;
#   a slip in a date or a topic's name does that to all of them. Records are counted by offsets, from what the group has
#   committed as the cluster's state knows it, over all partitions of the request; where the group has committed nothing
#   there is nothing to count from.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-122%3A+Add+Reset+Consumer+Group+Offsets+tooling
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-396%3A+Add+Commit%2FList+Offsets+Operations+to+AdminClient
# custom:
#   id: KFK-DEL-007
#   severity: high
#   operations: [AlterGroupOffsets]
#   reversible: false
#   params:
#     groups:
#       type: array
#       items: {type: string, format: glob}
#       description: "Ids of groups that this holds for; * matches any characters."
#     maxRecords:
#       type: integer
#       minimum: 0
#       description: "So many records one request may have processed again and skipped, together."
#   messages:
#     far: "group \"{group}\" would process {again} records again and skip {skipped}, together more than {max}"
#     unknown: >-
#       group "{group}" may go over more than {max} records,
#       the cluster's state does not tell what its groups have committed
#   fixes:
#     far: reset by at most {max} records, or get a waiver
#     unknown: >-
#       ask with a state that tells groups: warden replicate keeps one in OPA, with which --state replicated
#       asks, and its meta.missing says what it lacks and why
deny contains violation.new(rego.metadata.rule(), args, ["offsets"], []) if {
	input.operation == "AlterGroupOffsets"
	params := input.params["KFK-DEL-007"]
	globs.has_match(params.groups, input.request.group)
	moved := _reset_violation_args(params.maxRecords)
	args := object.union(moved, {"group": input.request.group, "max": params.maxRecords})
}

# How far it goes, where that is too far or not known.
_reset_violation_args(most) := {"case": "far", "again": again, "skipped": skipped} if {
	again := sum([max([0, 0 - forward]) | some forward in _signed_record_moves])
	skipped := sum([max([0, forward]) | some forward in _signed_record_moves])
	again + skipped > most
} else := {"case": "unknown"} if {
	not cluster.part(input, "groups")
}

# By how many records each partition goes forward, or back, of those that have something committed.
_signed_record_moves := [forward |
	committed := object.get(cluster.part(input, "groups"), [input.request.group, "offsets"], {})
	some move in input.request.offsets
	forward := move.offset - committed[move.topic][$"{move.partition}"]
]
