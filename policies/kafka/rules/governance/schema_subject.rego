package kafka.rules.governance

import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: A schema subject is declared
# description: |
#   Consumers of bytes without a schema break on the first change of them. The subject
#   stands in a label, as Kafka does not know it.
# related_resources:
#   - https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html#subject-name-strategy
# custom:
#   id: KFK-GOV-006
#   severity: medium
#   operations: [CreateTopic, AuditTopic]
#   named: always
#   params:
#     labelKey: {type: string, description: Label that holds the subject of the values' schema.}
#     strategy:
#       enum: [TopicNameStrategy, RecordNameStrategy, TopicRecordNameStrategy]
#       type: string
#       description: How subjects are named.
#     exemptPrefixes: {type: array, items: {type: string}, description: Topics whose names begin so need no schema.}
#   messages:
#     missing: the topic has no label {labelKey}
#     other: schema subject "{subject}" is none of {strategy}'s for this topic
#   fix: register the schema and set the label {labelKey} to its subject, {form}
deny contains violation.new(rego.metadata.rule(), args, ["labels", params.labelKey], []) if {
	input.operation in {"CreateTopic", "AuditTopic"}
	params := input.params["KFK-GOV-006"]
	_are_labels_expected
	not strings.any_prefix_match(input.topic, params.exemptPrefixes)
	subject := topics.label(input.labels, params.labelKey, "")
	args := {
		"case": _subject_case(subject, params),
		"subject": subject,
		"strategy": params.strategy,
		"labelKey": params.labelKey,
		"form": _form_by_strategy[params.strategy],
	}
}

_subject_case("", _) := "missing"

_subject_case(subject, params) := "other" if {
	subject != ""
	not _is_valid_subject(params.strategy, subject)
}

_is_valid_subject("TopicNameStrategy", subject) if subject == $"{input.topic}-value"

_is_valid_subject("RecordNameStrategy", _)

_is_valid_subject("TopicRecordNameStrategy", subject) if {
	startswith(subject, $"{input.topic}-")
	subject != $"{input.topic}-"
}

_form_by_strategy := {
	"TopicNameStrategy": "<topic>-value",
	"RecordNameStrategy": "the full name of the record",
	"TopicRecordNameStrategy": "<topic>-<full name of the record>",
}
