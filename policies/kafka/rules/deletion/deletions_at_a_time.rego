package kafka.rules.deletion

import data.kafka.base.bounds
import data.kafka.cluster
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
#     deletions: "{remedy}"
#     totals: "{remedy}"
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

# How many the request itself names is part of what goes within the hour, and all of it that is known where the state
# does not tell the rest.
# Items before it in the request are among those that it names.
_deletions_in_total := _last_hour_deletions + input.topicsInRequest if {
	not cluster.has_pending(input)
} else := (_last_hour_deletions + _pending_in_other_requests) + max([input.topicsInRequest, _pending_in_request + 1])

_pending_in_request := cluster.pending(input, ["request", "deletions"])

_pending_in_other_requests := cluster.pending(input, ["deletions", "lastHour"]) - _pending_in_request

default _last_hour_deletions := 0

_last_hour_deletions := _stored_last_hour_deletions if _is_last_hour_known

_is_last_hour_known if is_number(_stored_last_hour_deletions)

_stored_last_hour_deletions := cluster.part(input, "deletions").lastHour

_topic_count := cluster.part(input, "totals").topics

# What is under way is still among the topics; what went in the last hour no longer is.
_topic_count_before := _topic_count + _last_hour_deletions

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

_deletion_args contains {"case": "deletions", "remedy": cluster.remedy("deletions")} if not _is_last_hour_known

_deletion_args contains {"case": "totals", "remedy": cluster.remedy("totals")} if not _is_topic_count_known

_is_topic_count_known if {
	is_number(_topic_count)
	_topic_count > 0
}
