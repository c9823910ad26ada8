package kafka.rules.brokers

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: A managed cluster encrypts its disks and keeps its brokers' logs
# description: |
#   Both are set with the provider, not in Kafka; without logs there is nothing to
#   investigate, and unencrypted disks fail every audit.
# related_resources:
#   - https://docs.aws.amazon.com/msk/latest/developerguide/msk-encryption.html
#   - https://docs.aws.amazon.com/msk/latest/developerguide/msk-logging.html
# custom:
#   id: KFK-BRK-006
#   severity: high
#   controls: [SOC2 CC6.1, SOC2 CC7.2, PCI-DSS 10.2.1, ISO27001 A.8.15, ISO27001 A.8.24]
#   operations: [AuditBroker]
#   params: {}
#   messages:
#     encryptionAtRest: encryption at rest is not known to be on
#     brokerLogs: the brokers' log is not known to be on
#   fix: turn it on with the provider, and have the cluster's state tell so
deny contains violation.new(rego.metadata.rule(), {"case": field}, ["managed", field], []) if {
	input.operation == "AuditBroker"
	input.params["KFK-BRK-006"]
	some field in ["encryptionAtRest", "brokerLogs"]
	not _is_managed_setting_on(field)
}

_is_managed_setting_on(field) if cluster.part(input, "managed")[field] == true
