package kafka.rules.brokers

import data.kafka.base.globs
import data.kafka.violation

# METADATA
# title: Replicas move to listed log directories, a few at once
# description: |
#   A broker copies each replica that moves to another log directory of it, at the cost of the disks that serve its
#   clients, and a directory that holds what it was not made for is full before anybody expects it.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-113%3A+Support+replicas+movement+between+log+directories
# custom:
#   id: KFK-BRK-012
#   severity: medium
#   operations: [AlterReplicaLogDirs]
#   params:
#     directories:
#       type: array
#       items: {type: string, format: glob}
#       description: "Log directories to which replicas may move; * matches any characters."
#     maxReplicas:
#       type: integer
#       minimum: 1
#       description: How many replicas one request may move.
#   messages:
#     directory: replicas may not move to the log directory {directory}
#     nowhere: replicas may not move to the log directory {directory}, nor to any other
#     many: the request moves {replicas} replicas, above the maximum of {limit}
#   fixes:
#     directory: "move them to one of {directories}"
#     nowhere: have log directories added to `directories` of this rule
#     many: move at most {limit} with each request, and the next once they have arrived
deny contains violation.new(rego.metadata.rule(), problem, ["replicas"], []) if {
	input.operation == "AlterReplicaLogDirs"
	params := input.params["KFK-BRK-012"]
	some problem in _move_problems(input.request.replicas, params)
}

_move_problems(replicas, params) := unlisted | many if {
	case := _directory_case(params.directories)
	unlisted := {{"case": case, "directory": move.directory, "directories": concat(", ", params.directories)} |
		some move in replicas
		not globs.has_match(params.directories, move.directory)
	}
	moved := sum([count(move.partitions) | some move in replicas])
	many := {{"case": "many", "replicas": moved, "limit": params.maxReplicas} | moved > params.maxReplicas}
}

_directory_case([]) := "nowhere"

_directory_case(patterns) := "directory" if patterns != []
