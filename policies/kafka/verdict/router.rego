package kafka.verdict

import data.kafka.acls
import data.kafka.brokers
import data.kafka.quotas
import data.kafka.request
import data.kafka.resources
import data.kafka.topics

# What each kind of resource brings to a decision: the document that rules see, and what Kafka itself would refuse.
# OPA picks the row by the first argument.
_prepared(document, shared) := _prepared_for(_subject(document), document, shared)

_prepared_for("topic", document, shared) := topics.prepared(document, shared)

_prepared_for("broker", document, shared) := brokers.prepared(document, shared)

_prepared_for("resource", document, shared) := resources.prepared(document, shared)

_prepared_for("acl", document, shared) := acls.prepared(document, shared)

_prepared_for("quota", document, shared) := quotas.prepared(document, shared)

_prepared_for("scram", document, shared) := quotas.scram(document, shared)

_refusals(document) := _refusals_for(_subject(document), document)

_refusals_for("topic", document) := topics.refusals(document)

_refusals_for("broker", document) := brokers.refusals(document)

_refusals_for("resource", document) := resources.refusals(document)

_refusals_for("acl", document) := acls.refusals(document)

_refusals_for("quota", document) := quotas.refusals(document)

_refusals_for("scram", _) := set()

_subject(document) := request.operations[document.operation].subject
