# METADATA
# description: Names of topics that nobody should have.
package site.rules.names

deny contains violation if {
	input.operation == "CreateTopic"
	input.topic in _forbidden
	violation := {
		"rule": "SITE-NAM-001",
		"severity": "medium",
		"message": $"topic name \"{input.topic}\" is not allowed",
		"fix": "choose another name",
		"path": ["topic"],
		"patch": [],
	}
}

_forbidden := {"test", "tmp"}
