package kafka.engine.topic_defaults

import data.kafka.base.effects
import data.kafka.engine.ecosystem

# METADATA
# description: |
#   What the request in `input` adds to topics: of each rule one violation of the request, with the number of topics and
#   some of their names (`topics`). What a topic has broken before, and is not worse, is `found` of an alteration, where
#   the request is about it. Of a topic that a waiver names nothing is said.
# scope: document
deny contains object.union(kind, {
	"message": message,
	"fix": $"keep {key} as it is, or first give the topics that inherit it a value of their own",
	"path": ["configs", key],
	"patch": [],
	"topics": topics,
	"order": {"before": object.get({denied.message: message}, before, before)},
}) if {
	changed != {}
	some [kind, key, _], rows in _findings_by_kind_and_key
	entries := _topic_findings(rows, kind.rule)
	[_, _, denied, before] := min(entries) # the words are those of one, and new topics come last
	topics := _topics_summary(_config_at_fault(denied, key), entries)
	message := $"{denied.message}{_differing_topics_note(entries)}, for {_topics_text(key, topics)}"
}

_topic_findings(rows, rule) := {[0, name, denied, before] |
	some [shape, denied, before] in rows
	some name in effects.unwaived(rule, _topics_by_shape[shape], input.cluster, input.now)
	not _is_exempt_tool_topic(rule, name)
} | {[1, "", denied, before] |
	some [shape, denied, before] in rows
	shape == _new_topic_shape
}

_is_exempt_tool_topic(rule, name) if {
	ecosystem.chosen_tools != {}
	rule in ecosystem.exempt(name, _topics_on_affected_brokers[name])
}

_topics_summary(config, entries) := {
	"config": config,
	"count": count(names),
	"names": array.slice(names, 0, data.catalog.limits.topicsNamed),
	"everyNew": 1 in {entry[0] | some entry in entries},
} if {
	names := sort({entry[1] | some entry in entries; entry[0] == 0})
}

# A site's own rule may name no place.
_config_at_fault(denied, key) := array.concat([key], denied.path)[count(denied.path)]

# Of several topics what a rule reads besides may differ.
_differing_topics_note(entries) := " (others differ in what they set themselves)" if {
	count({denied.message | some [_, _, denied, _] in entries}) > 1
} else := ""

_topics_text(key, topics) := $"every new topic that inherits {key}" if {
	topics.count == 0
	not _are_topics_unknown
}

_topics_text(key, _) := $"every topic that inherits {key}: which there are is not known" if _are_topics_unknown

_topics_text(key, topics) := $"{topics.count} {nouns} {key} ({concat(", ", topics.names)}{more}){new}" if {
	more := _more_text(topics)
	topics.count > 0
	nouns := object.get({1: "topic that inherits"}, topics.count, "topics that inherit")
	new := object.get({true: " and every new one"}, topics.everyNew, "")
}

_more_text(topics) := object.get({0: ""}, left, $" and {left} more") if left := topics.count - count(topics.names)
