package kafka.request

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
	},
	"inside": {"cluster": "name", "principal": "principal", "now": "time", "api": "api", "unknown": "pointers"},
}
