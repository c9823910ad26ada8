package system.log

# METADATA
# title: Decisions that are not worth a line in the log
# description: |
#   Reading replicated state decides nothing, and neither does what a replicator asks besides: it looks at each replica
#   every second, and compares all of it. The path alone says so, and who may ask it is for system.authz: nothing that a
#   caller states drops a decision.
# scope: document
default drop := false

drop if split(input.path, "/")[0] in {"clusters", "kubernetes"}

drop if input.path in {"io/k8s/federation/index", "kafka/required_state"}
