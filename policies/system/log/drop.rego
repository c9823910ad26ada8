package system.log

# METADATA
# title: Decisions that are not worth a line in the log
# description: |
#   A nightly scan asks about every resource of the estate and writes its findings itself; logging each batch
#   would only repeat them, inputs included, and cost more than deciding. Reading replicated state decides nothing, and
#   neither does what a replicator asks besides: it looks at each replica every second, and compares all of it.
# scope: document
default drop := false

drop if {
	input.path == "kafka/decisions"
	input.input.common.enforcementPoint == "scan"
}

drop if split(input.path, "/")[0] in {"clusters", "kubernetes"}

drop if input.path in {"io/k8s/federation/index", "kafka/required_state"}
