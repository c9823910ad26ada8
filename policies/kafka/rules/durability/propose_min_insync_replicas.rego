package kafka.rules.durability

# METADATA
# title: Proposes min.insync.replicas
# description: |
#   For KFK-DUR-003: a new topic that leaves min.insync.replicas to the cluster is offered the greatest that lets as
#   many brokers be down as KFK-DUR-002 wants, where that is above what the topic would inherit and not below the floor.
annotate contains {"rule": "KFK-DUR-003", "configs": {"min.insync.replicas": json.marshal(proposed)}} if {
	input.operation == "CreateTopic"
	params := input.params["KFK-DUR-003"]
	proposed := input.requested.replicationFactor - input.params["KFK-DUR-002"].margin
	proposed >= params.min
	not input.requested.configs["min.insync.replicas"]
	_is_raise_needed(proposed, params)
}

_is_raise_needed(proposed, _) if input.effective.values["min.insync.replicas"] < proposed

_is_raise_needed(_, params) if params.requireExplicit
