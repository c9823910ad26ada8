# METADATA
# title: Engine
# description: The one evaluator, of every enforcement point and of scans, for one decision input at a time or many.
# scope: subpackages
package kafka.engine

import data.kafka.base.releases
import data.kafka.base.request
import data.kafka.client_configs
import data.kafka.model.topics
import data.kafka.operations
import data.kafka.rules

# METADATA
# description: |
#   The decision about one document; for any JSON value there is one. `own` is the part of it that no other document
#   of the same batch shares. The `clusters` of a document stand in for those that are replicated.
decide(own, document) := invalid_input(problems) if {
	problems := request.excesses(document)
	problems != set()
} else := decision if {
	is_object(document.clusters)
	alone := object.remove(document, ["clusters"])
	decision := _decision_under_release(object.remove(own, ["clusters"]), alone) with data.clusters as document.clusters
} else := _decision_under_release(own, document)

# Where the cluster's own release is not the newest, its catalogues stand in for the newest: of topics that one, of
# brokers theirs too, and of other resources with configs those of all.
_decision_under_release(own, document) := _decide(own, document) if {
	not releases.line(document) # nearly always
} else := decision if {
	operations[document.operation].subject in {"audit", "part", "topic"}
	not releases.has_stand_in
	line := releases.line(document)
	decision := _decide(own, document) with data.catalog.topic as data.catalog.older.lines[line].topic
} else := decision if {
	operations[document.operation].subject == "broker"
	line := releases.line(document)
	decision := _decide(own, document) with data.catalog.topic as data.catalog.older.lines[line].topic
		with data.catalog.broker as releases.brokers[line]
} else := decision if {
	operations[document.operation].subject == "resource"
	line := releases.line(document)
	decision := _decide(own, document) with data.catalog.topic as data.catalog.older.lines[line].topic
		with data.catalog.broker as releases.brokers[line]
		with data.catalog.group as releases.groups[line]
		with data.catalog.clientMetrics as releases.client_metrics[line]
} else := _decide(own, document)

# What cannot be prepared for the rules is refused, with the reason looked for only then.
_decide(own, document) := _completed(document, prepared, decision) if {
	not document.unknown
	request.is_well_formed(own, document)
	subject := operations[document.operation].subject
	shared := _shared_values(document)
	prepared := _rule_input(subject, shared, document)
	evaluation := rules.evaluation with input as prepared
	decision := _final_decision(shared, _subject_refusals(subject, document), evaluation, document)
} else := object.union(_completed(document, prepared, decision), _unevaluated_part(document, rows)) if {
	document.unknown
	request.is_well_formed(own, document)
	subject := operations[document.operation].subject
	rows := _unevaluated_rows(document)
	shared := _shared_values_without(rows, document)
	prepared := _rule_input(subject, shared, object.remove(document, ["unknown"]))
	evaluation := rules.evaluation with input as prepared
	known := _known_evaluation(evaluation, document)
	decision := _final_decision(shared, _subject_refusals(subject, document), known, document)
} else := invalid_input(problems) if {
	problems := request.errors(_original_document(own, document))
} else := object.union(decision, _unevaluated_part(document, [])) if {
	subject := operations[document.operation].subject
	shared := _shared_values(document)
	refusals := _subject_refusals(subject, document) | _missing_topic_refusals(document)
	refusals != set()
	decision := _final_decision(shared, refusals, [set(), set()], document)
} else := invalid_input({"the bundle has no settings: build it with warden bundle build"}) if {
	not data.settings.compiled.base
} else := invalid_input({_incomplete_state_text})

# A decision with what an operation answers besides, and with what a change says that is not so.
_completed(document, prepared, decision) := client_configs.answered(document, decision) if {
	operations[document.operation].answers
} else := _with_warning(line, decision) if {
	document.request.configs.mode == "resolved"
	line := _before_mismatch_warning(document, prepared.change.before)
} else := decision

# Without what was laid over it since.
_original_document(own, document) := object.union(object.remove(document, ["changed"]), own) if {
	document.changed
} else := document

_incomplete_state_text := "clusterState: the state of this resource is incomplete: replicate it again or send all of it"

# METADATA
# description: |
#   What a document adds to what is capped, undefined where it cannot be prepared (kafka.rules.charges). `own` is the
#   part of it that its caller has sent.
charges(own, document) := amounts if {
	request.is_well_formed(own, document)
	subject := operations[document.operation].subject
	subject == "topic"
	shared := _shared_values(document)
	amounts := rules.charges with input as _rule_input(subject, shared, document)
}

# METADATA
# description: |
#   The fields of its topic's state that a document which is allowed leaves otherwise than they were, and how; null
#   where it deletes the topic.
state_after(document) := topics.state_after(document.operation, prepared) if {
	operations[document.operation].subject == "topic"
	prepared := _rule_input("topic", _shared_values(document), document)
}

# METADATA
# description: |
#   What the rules see of a document that only a rule can have something against: undefined where the document cannot be
#   read, where Kafka would refuse it, where the state is too old, or where something is not known.
prechecked_input(document) := _rule_input(subject, shared, document) if {
	request.is_well_formed(document, document)
	subject := operations[document.operation].subject
	_subject_refusals(subject, document) == set()
	not document.unknown
	shared := _shared_values(document)
	object.get(shared, "doubt", null) == null
}

# METADATA
# description: The decision about such a document, with the violations that its rules have.
decision(violations, document) := _final_decision(_shared_values(document), set(), [violations, set()], document)
