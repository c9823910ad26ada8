package kafka.rules.clients

import data.kafka.base.bounds
import data.kafka.violation

# METADATA
# title: Clients speak API versions within range
# description: |
#   A client that speaks only old versions stops working the day the brokers no longer take them: Kafka 4.0 removed
#   those of before 2.1 (KIP-896). One that speaks newer ones than a site has tried may ask for what its tools cannot
#   read. Evaluated where the decision input says which request of Kafka's protocol it came with.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-896%3A+Remove+old+client+protocol+API+versions+in+Kafka+4.0
#   - https://kafka.apache.org/protocol.html#protocol_api_keys
# custom:
#   id: KFK-CLI-007
#   severity: low
#   operations:
#     [AddRaftVoter, AlterBroker, AlterClientConfigs, AlterConfig, AlterGroupOffsets, AlterQuota,
#      AlterReplicaLogDirs, AlterScram, AlterTopic, CreateAcl, CreateDelegationToken, CreateTopic, DeleteAcl,
#      DeleteGroup, DeleteGroupOffsets, DeleteRecords, DeleteTopic, DescribeClientConfigs, ElectLeaders,
#      ExpireDelegationToken, RemoveRaftVoter, RenewDelegationToken, UnregisterBroker, UpdateFeatures]
#   params:
#     versions:
#       type: object
#       description: Least (min) and greatest (max) version of requests, by the name
#         of their API; either may be left out.
#       propertyNames:
#         enum:
#           [AddRaftVoter, AlterClientConfigs, AlterClientQuotas, AlterConfigs,
#            AlterPartitionReassignments, AlterReplicaLogDirs, AlterShareGroupOffsets, AlterUserScramCredentials,
#            CreateAcls, CreateDelegationToken, CreatePartitions, CreateTopics, DeleteAcls, DeleteGroups,
#            DeleteRecords, DeleteShareGroupOffsets, DeleteTopics, DescribeClientConfigs, ElectLeaders,
#            ExpireDelegationToken, IncrementalAlterConfigs, Metadata, OffsetCommit, OffsetDelete, RemoveRaftVoter,
#            RenewDelegationToken, TxnOffsetCommit, UnregisterBroker, UpdateFeatures]
#       additionalProperties:
#         type: object
#         additionalProperties: false
#         properties:
#           min: {type: integer, minimum: 0}
#           max: {type: integer, minimum: 0}
#   message: the request is {api} in version {actual}, which is {direction} of {limit}
#   fix: "use a client that speaks {api} in version {limit}"
deny contains violation.new(rego.metadata.rule(), args, ["api", "version"], []) if {
	input.operation in {
		"AddRaftVoter", "AlterBroker", "AlterClientConfigs", "AlterConfig", "AlterGroupOffsets", "AlterQuota",
		"AlterReplicaLogDirs", "AlterScram", "AlterTopic", "CreateAcl", "CreateDelegationToken", "CreateTopic",
		"DeleteAcl", "DeleteGroup", "DeleteGroupOffsets", "DeleteRecords", "DeleteTopic", "DescribeClientConfigs",
		"ElectLeaders", "ExpireDelegationToken", "RemoveRaftVoter", "RenewDelegationToken", "UnregisterBroker",
		"UpdateFeatures",
	}
	params := input.params["KFK-CLI-007"]
	api := input.api
	broken := bounds.broken(api.version, params.versions[api.key])
	args := object.union(broken, {"api": api.key, "actual": api.version})
}
