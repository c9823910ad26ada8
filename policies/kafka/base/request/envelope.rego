package kafka.base.request

# METADATA
# description: The fields of every decision input, in columns as those of kafka/operations.
envelope := {
	"required": {"operation": "string", "cluster": "string", "request": "object"},
	"types": {
		"operation": "string",
		"cluster": "string",
		"principal": "object",
		"enforcementPoint": "string",
		"brokerId": "string",
		"validateOnly": "boolean",
		"now": "string",
		"request": "object",
		"clusterState": "object",
		"clusters": "object",
		"api": "object",
		"unknown": "array",
		"pending": "object",
	},
	"inside": {
		"cluster": "name",
		"principal": "principal",
		"now": "time",
		"api": "api",
		"unknown": "pointers",
		"pending": "amounts",
	},
}

# Nearly every principal is a type and a name.
_is_principal(principal) if {
	{"type": type, "name": name} = principal
	is_string(type)
	is_string(name)
} else := is_a("principal", principal)

# The insides of fields that few documents have.
_has_valid_insides({})

_has_valid_insides(fields) if {
	fields != {}
	{name | some name, value in fields; not is_a(envelope.inside[name], value)} == set()
}
