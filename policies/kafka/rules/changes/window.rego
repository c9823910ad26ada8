package kafka.rules.changes

import data.kafka.violation

# METADATA
# title: Changes are made inside change windows and outside freezes
# description: A change at night or before a holiday meets nobody who can mend what it breaks.
# related_resources:
#   - https://kafka.apache.org/documentation/#basic_ops_modify_topic
# custom:
#   id: KFK-CHG-008
#   severity: medium
#   controls: [SOC2 CC8.1, PCI-DSS 6.5.1, ISO27001 A.8.32]
#   operations:
#     [AlterTopic, DeleteTopic, DeleteRecords, DeleteGroup, AlterGroupOffsets, DeleteGroupOffsets, AlterBroker,
#      AlterConfig, UnregisterBroker, AddRaftVoter, RemoveRaftVoter, AlterReplicaLogDirs, UpdateFeatures]
#   params:
#     windows:
#       type: array
#       description: "When changes may be made; empty for any time. A window whose `to` is not after its `from` ends on
#         the next day: of Monday, 22:00 to 04:00 is over on Tuesday at 4, and 08:00 to 08:00 on Tuesday at 8."
#       items:
#         type: object
#         additionalProperties: false
#         required: [days, from, to]
#         properties:
#           days: {type: array, items: {enum: [Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday]}}
#           from: {type: string, pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
#           to: {type: string, pattern: "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"}
#     freezeUntil:
#       type: string
#       pattern: "^([0-9]{4}-[0-9]{2}-[0-9]{2})?$"
#       format: day
#       description: "First day on which changes are made again, as 2027-01-04; empty for no freeze."
#     timeZone: {type: string, format: time-zone, description: "Time zone of days and hours, as Europe/Berlin."}
#   messages:
#     frozen: it is {time} and changes are frozen until {until}
#     outside: it is {time} and changes are made only {windows}
#     unknown: it is not known which time it is in {timeZone}, and changes are made at certain times only
#   fixes:
#     frozen: make the change at another time, or ask for a waiver
#     outside: make the change at another time, or ask for a waiver
#     unknown: have those who run the cluster name a time zone in `timeZone` of this rule, as Europe/Berlin
deny contains violation.new(rego.metadata.rule(), args, [], []) if {
	input.operation in {
		"AlterTopic", "DeleteTopic", "DeleteRecords", "DeleteGroup", "AlterGroupOffsets", "DeleteGroupOffsets",
		"AlterBroker", "AlterConfig", "UnregisterBroker", "AddRaftVoter", "RemoveRaftVoter",
		"AlterReplicaLogDirs", "UpdateFeatures",
	}
	params := input.params["KFK-CHG-008"]
	not _is_offset_commit
	some problem in _closed_args(params)
	args := object.union(problem, _local_time_args(params))
}

# A commit outside a generation: a reset has the form of what consumers do that assign partitions to themselves.
_is_offset_commit if input.api.key in {"OffsetCommit", "TxnOffsetCommit"}

# What cannot be worked out, as in a time zone that does not exist, is not open.
_closed_args(params) := frozen | outside if {
	frozen := {{"case": "frozen", "until": params.freezeUntil} | not _is_freeze_over(params)}
	outside := {{"case": "outside", "windows": concat(", ", shown)} |
		not _is_in_window(params)
		shown := [_window_text(window) | some window in params.windows]
	}
}

_window_text(window) := $"{concat(", ", window.days)} {window.from}-{window.to}"

_local_time_args(params) := {"time": text} if {
	text := time.format([input.now, params.timeZone, "Monday 2006-01-02 15:04"])
} else := {"case": "unknown", "timeZone": params.timeZone}
