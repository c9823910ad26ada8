# METADATA
# title: Topics that brokers make
# description: |
#   Topics that no request names as such: brokers make the one that a share group's config names for the records that it
#   rejects (KIP-1191). The rules about topics say what is wrong with its creation, with the brokers' defaults, when a
#   group names it, or when brokers are set up to make what groups have named.
# scope: subpackages
package kafka.engine.made_topics

import data.kafka.base.effects
import data.kafka.engine.legacy
import data.kafka.model.topics
import data.kafka.rules.cleanup
import data.kafka.rules.config_keys
import data.kafka.rules.durability
import data.kafka.rules.governance
import data.kafka.rules.lists
import data.kafka.rules.messages
import data.kafka.rules.naming
import data.kafka.rules.retention
import data.kafka.rules.sizing
import data.kafka.rules.tiering
import data.kafka.violation

# METADATA
# description: The operations after which brokers may make topics.
operations := {"AlterBroker", "AlterConfig", "StartBroker"}

# METADATA
# description: Whether a rule is evaluated of the topics that brokers make.
is_evaluated(rule) if {
	"CreateTopic" in rule.operations
	split(rule.file, "/")[2] in _evaluated_families
}

_evaluated_families := {
	"cleanup", "config_keys", "durability", "governance", "lists", "messages", "naming", "retention", "sizing", "tiering",
}

# METADATA
# description: |
#   What the request in `input` adds to topics: of each rule one violation, with the words for the first topic. Of a
#   topic that a waiver names nothing is said.
# scope: document
deny contains object.union(object.remove(denied, ["order"]), {
	"message": $"{denied.message}, for {_topics_text(names)}",
	"fix": $"name a topic that the rules allow, or create {names[0]} before brokers do: {denied.fix}",
	"path": ["configs", key],
	"patch": [],
}) if {
	key := named.key
	some rule in union({_broken_rules_of(name) | some name, _ in _violations_by_topic})
	names := [name | some name in sort(object.keys(_violations_by_topic)); rule in _broken_rules_of(name)]
	some denied in _violations_by_topic[names[0]]
	denied.rule == rule
}

_topics_text(names) := $"the topic {names[0]}, which brokers make for rejected records{_more_text(count(names) - 1)}"

_more_text(0) := ""

_more_text(left) := $" (and {left} more such)" if left > 0

_broken_rules_of(name) := {denied.rule | some denied in _violations_by_topic[name]}

# Whole, since OPA evaluates a rule by keys anew for each key.
_violations_by_topic := {name: broken |
	some name in names
	prepared := _creation_input(name)
	denials := _creation_denials with input as prepared
	broken := {denied |
		some denied in denials
		effects.unwaived(denied.rule, {name}, input.cluster, input.now) != set()
	}
} if {
	names := named.topics
}

_creation_denials := union({
	cleanup.deny,
	config_keys.deny,
	durability.deny,
	governance.deny,
	legacy.deny,
	lists.deny,
	messages.deny,
	naming.deny,
	retention.deny,
	sizing.deny,
	tiering.deny,
	violation.site_violations,
})

# As org.apache.kafka.server.share.dlq.ShareGroupDLQStateManager sends it, 4.4.
_creation_input(name) := topics.prepared("CreateTopic", document, object.filter(input, ["now", "params"])) if {
	document := object.union(
		object.filter(input, ["cluster", "clusterState", "enforcementPoint", "pending", "principal"]),
		{"operation": "CreateTopic", "request": {
			"topic": name,
			"numPartitions": -1,
			"replicationFactor": -1,
			"configs": {"errors.deadletterqueue.group.enable": "true", "message.timestamp.type": "CreateTime"},
		}},
	)
}
