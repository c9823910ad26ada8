package checks.schemas

# METADATA
# description: What each field of a decision input means; of an operation's own first, as "operation.field".
_meaning(operation, field) := meaning if {
	meaning := _meanings[$"{operation}.{field}"]
} else := _meanings[field]

_meanings := {
	".cluster": "Name of the cluster, as in the settings and under data.clusters.",
	".clusterState": concat(" ", [
		"Stands in for data.clusters[cluster]; its schema is cluster_state.json.",
		"Decisions look at what they read of it and at nothing else.",
	]),
	".clusters": "Stands in for data.clusters, for rules that look at other clusters than the decision's own.",
	".now": "Time of the decision in RFC 3339; OPA's clock where it is missing.",
	".operation": "What is requested.",
	".request": "What is requested in detail, by the operation: see $defs.",
	"unknown": concat(" ", [
		"JSON pointers to what of the request or of clusterState is not known yet, and left out or as it was there:",
		"a rule that reads one is not evaluated.",
	]),
	"api": "The request of Kafka's protocol that it came with: name and version of its API.",
	"enforcementPoint": "Where the decision is carried out: gateway, service, webhook, ci, scan.",
	"brokerId": "The broker that asks, as KIP-201's brokerState() knows it; missing where none does or it is not known.",
	"principal": "Who asks, User:ANONYMOUS where it is missing; `host` where it is known.",
	"validateOnly": "Whether the caller only wants to know.",
	"allowReplicationFactorChange": "Whether the number of replicas may change, true where it is missing.",
	"acl": "A binding, with the names of Kafka's AclBinding.",
	"broker": "A broker's id; of AlterBroker and AuditBroker \"\" is the default of all brokers.",
	"components": "What is described: entities, or the parts of the one client to resolve.",
	"configs": "Configs by name, as Kafka writes them.",
	"deletedMessageOffsets": "Offsets by partition, below which records go; -1 is the high watermark.",
	"entity": "Whom it is about; null is the default entity.",
	"internal": "Whether the topic is one of Kafka's own.",
	"iterations": "How often the password is hashed.",
	"labels": "Labels by name.",
	"mechanism": "The SCRAM mechanism.",
	"newAssignments": "Replicas of each new partition.",
	"numPartitions": "Number of partitions.",
	"ops": "What is set and removed, in order.",
	"reassignments": "Replicas by partition; null cancels what is under way.",
	"remove": "Whether the credentials go.",
	"replicasAssignments": "Replicas by partition, where the client says where they go.",
	"replicationFactor": "Number of replicas of each partition.",
	"resolveEntity": "Whether what is in force for one client is resolved.",
	"resource": "What has the configs.",
	"softwareName": "Name of the client's software.",
	"softwareVersion": "Version of the client's software.",
	"strict": "Whether only exact matches count.",
	"supportedConfigs": "Configs that the client knows; null where it does not say.",
	"topic": "Name of the topic.",
	"topicsInRequest": "How many topics the same request deletes, 1 where it is missing.",
	"user": "Whose credentials they are.",
	"AlterBroker.configs": "A change of configs.",
	"AlterConfig.configs": "A change of configs; of loggers, of levels by logger.",
	"AlterTopic.configs": "A change of configs.",
	"AlterTopic.numPartitions": "The new total of partitions.",
	"AuditTopicConfigs.configs": "The overrides of the topic.",
	"CreateTopic.numPartitions": "Number of partitions; -1, or none, is the broker's default.",
	"CreateTopic.replicationFactor": "Number of replicas; -1, or none, is the broker's default.",
	"DeleteAcl.acl": "The filter; null, or none, matches any value.",
	"StartBroker.configs": "The whole static configuration.",
}
