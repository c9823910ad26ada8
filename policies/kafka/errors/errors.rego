# METADATA
# title: Kafka errors
# description: Refusals with Kafka's own code and name (org.apache.kafka.common.protocol.Errors).
package kafka.errors

# METADATA
# description: One error; `name` is a row of data.catalog.errors.
new(name, message) := {"code": data.catalog.errors[name], "name": name, "message": message}

# METADATA
# description: A set of errors as a list, in the order of their names and messages.
sorted(errors) := [error |
	some key in sort({[error.name, error.message] | some error in errors})
	error := new(key[0], key[1])
]
