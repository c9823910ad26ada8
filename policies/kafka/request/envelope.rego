package kafka.request

# METADATA
# description: The fields of every decision input.
envelope := {
	"required": {"operation", "cluster", "request"},
	"types": {
		"operation": "string",
		"cluster": "string",
		"principal": "object",
		"point": "string",
		"validateOnly": "boolean",
		"now": "string",
		"request": "object",
		"clusterState": "object",
		"api": "object",
	},
	"inside": {"cluster": "name", "principal": "principal", "now": "time", "api": "api"},
}
