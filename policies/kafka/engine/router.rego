package kafka.engine

import data.kafka.audit_parts
import data.kafka.client_configs
import data.kafka.model.acls
import data.kafka.model.administration
import data.kafka.model.brokers
import data.kafka.model.quotas
import data.kafka.model.resources
import data.kafka.model.scram
import data.kafka.model.topics

# METADATA
# description: |
#   What each kind of resource brings to a decision: the document that rules see, and what Kafka itself would refuse.
#   OPA picks the row by the first argument.
_rule_input("topic", shared, document) := topics.prepared(document.operation, document, shared)

_rule_input("audit", shared, document) := topics.prepared("AuditTopic", document, shared)

_rule_input("part", shared, document) := audit_parts.prepared(document.operation, shared, document)

_rule_input("broker", shared, document) := brokers.prepared(document, shared)

_rule_input("resource", shared, document) := resources.prepared(document, shared)

_rule_input("acl", shared, document) := acls.prepared(document, shared)

_rule_input("quota", shared, document) := quotas.prepared(document, shared)

_rule_input("client", shared, document) := client_configs.prepared(document, shared)

_rule_input("scram", shared, document) := scram.prepared(document, shared)

_rule_input("administration", shared, document) := administration.prepared(document, shared)

_subject_refusals("topic", document) := topics.refusals(document.operation, document)

_subject_refusals("audit", _) := set()

_subject_refusals("part", _) := set()

_subject_refusals("broker", document) := brokers.refusals(document)

_subject_refusals("resource", document) := resources.refusals(document)

_subject_refusals("acl", document) := acls.refusals(document.operation, document.request.acl)

_subject_refusals("quota", document) := quotas.refusals(document)

_subject_refusals("client", document) := client_configs.refusals(document)

_subject_refusals("scram", document) := scram.refusals(document)

_subject_refusals("administration", document) := administration.refusals(document)

# An audited topic that is not there: nothing to prepare, and nothing that its request could be refused for.
_missing_topic_refusals(document) := topics.missing(document) if document.operation == "AuditTopic"

_missing_topic_refusals(document) := set() if document.operation != "AuditTopic"
