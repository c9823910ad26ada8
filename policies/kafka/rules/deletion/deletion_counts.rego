package kafka.rules.deletion

import data.kafka.cluster

# METADATA
# description: |
#   How many topics go within the hour. How many the request itself names is part of it, and all of it that is known
#   where the state does not tell the rest. Items before it in the request are among those that it names.
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

_is_topic_count_known if {
	is_number(_topic_count)
	_topic_count > 0
}
