package system.log

# METADATA
# title: Decisions that are not worth a line in the log
# description: |
#   A nightly scan asks about every resource of the estate and writes its findings itself; logging each batch
#   would only repeat them, inputs included, and cost more than deciding.
# scope: document
default drop := false

drop if {
	input.path == "kafka/decisions"
	input.input.common.enforcementPoint == "scan"
}
