# METADATA
# title: Kafka errors
# description: Refusals with Kafka's own code and name (org.apache.kafka.common.protocol.Errors).
package kafka.base.errors

# METADATA
# description: One error; `name` is a row of data.catalog.errors.
new(name, message) := {"code": data.catalog.errors[name], "name": name, "message": message}

# METADATA
# description: |
#   A set of errors as a list, the one that Kafka would come upon first before the others: it looks at names and whether
#   the resource is there, then at the request's form, then at configs, counts and assignments.
sorted(errors) := [new(name, message) |
	some [_, name, message] in sort({[_error_rank(error.name), error.name, error.message] | some error in errors})
]

_error_name_order := [
	"INVALID_TOPIC_EXCEPTION",
	"TOPIC_ALREADY_EXISTS",
	"UNKNOWN_TOPIC_OR_PARTITION",
	"INVALID_REQUEST",
	"INVALID_CONFIG",
	"INVALID_REPLICATION_FACTOR",
	"INVALID_PARTITIONS",
	"INVALID_REPLICA_ASSIGNMENT",
]

_error_rank(name) := min({i | some i, other in _error_name_order; other == name} | {count(_error_name_order)})
