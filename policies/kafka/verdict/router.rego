package kafka.verdict

import data.kafka.request
import data.kafka.topics

# What each kind of resource brings to a decision: the document that rules see, and what Kafka itself would refuse.
# OPA picks the row by the first argument.
_prepared(document, shared) := _prepared_for(_subject(document), document, shared)

_prepared_for("topic", document, shared) := topics.prepared(document, shared)

_refusals(document) := _refusals_for(_subject(document), document)

_refusals_for("topic", document) := topics.refusals(document)

_subject(document) := request.operations[document.operation].subject
