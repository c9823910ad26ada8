package kafka.rules.deletion

import data.kafka.base.bounds
import data.kafka.violation

# METADATA
# title: Few topics are deleted at a time
# description: |
#   A wrong pattern in a script deletes an estate in seconds; a limit for a request and
#   an hour stops it while most is still there. What went in the last hour cannot be seen in
#   one look at a cluster: only a state that is kept, as the replicator does, tells it.
# related_resources:
#   - https://kafka.apache.org/documentation/#brokerconfigs_delete.topic.enable
# custom:
#   id: KFK-DEL-003
#   severity: critical
#   cap: true
#   operations: [DeleteTopic]
#   reversible: false
#   params:
#     maxCount: {type: integer, minimum: 1, description: "Topics that may be deleted by a request, and within an hour."}
#     maxPercent:
#       type: number
#       minimum: 0
#       maximum: 100
#       description: "Share of a cluster's topics, those deleted in the last hour among them, in percent, that may be
#         deleted within an hour; one always may."
#   messages:
#     count: "{deleted} topics would be deleted within an hour, more than {most}"
#     share: "{deleted} of {topics} topics would be deleted within an hour, more than {share} %"
#     deletions: the cluster's state does not tell how many topics were deleted in the last hour
#     totals: the cluster's state does not tell how many topics there are
#   fixes:
#     count: delete fewer topics at a time, and look at each before the next
#     share: delete fewer topics at a time, and look at each before the next
#     deletions: >-
#       ask with a state that tells deletions: warden replicate keeps one in OPA, with which --state replicated
#       asks, and its meta.missing says what it lacks and why
#     totals: >-
#       ask with a state that tells totals: warden replicate keeps one in OPA, with which --state replicated
#       asks, and its meta.missing says what it lacks and why
deny contains violation.new(rego.metadata.rule(), args, ["topic"], []) if {
	input.operation == "DeleteTopic"
	input.params["KFK-DEL-003"]
	some args in _deletion_args
}

# METADATA
# description: A topic of the request, and one of the last hour.
charge contains [path, 1] if {
	input.operation == "DeleteTopic"
	some path in [["request", "deletions"], ["deletions", "lastHour"]]
}

_deletion_args contains {"case": "count", "deleted": _deletions_in_total, "most": most} if {
	most := input.params["KFK-DEL-003"].maxCount
	_deletions_in_total > most
}

_deletion_args contains {
	"case": "share",
	"deleted": _deletions_in_total,
	"topics": _topic_count_before,
	"share": share,
} if {
	_deletions_in_total > 1
	share := input.params["KFK-DEL-003"].maxPercent
	bounds.percent(_deletions_in_total, _topic_count_before) > share
}

_deletion_args contains {"case": "deletions"} if not _is_last_hour_known

_deletion_args contains {"case": "totals"} if not _is_topic_count_known
