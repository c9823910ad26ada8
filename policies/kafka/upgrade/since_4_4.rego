package kafka.upgrade

import data.kafka.base.settings
import data.kafka.lists
import data.kafka.model.hosts
import data.kafka.model.resources
import data.kafka.rules.naming

# METADATA
# description: |
#   What Kafka 4.4 reads otherwise. Hosts with a slash are ranges (KIP-1276); no address that a broker writes has one.
# scope: rule
_outcomes_by_name("acl", stored, from, to) := {about: outcome |
	_is_crossed("4.4", from, to)
	some about, host in stored
	contains(host, "/")
	outcome := _host_range_outcome(host)
}

# Brokers make the topic that a group names for the records that it rejects (KIP-1191).
_outcomes_by_name("group", stored, from, to) := {name: {"outcome": "reinterpreted", "message": message} |
	_is_crossed("4.4", from, to)
	name := "errors.deadletterqueue.topic.name"
	problems := _topic_name_problems(stored[name])
	problems != []
	message := $"Kafka {input.to} lets brokers make this topic for rejected records: {concat("; ", problems)}"
}

_host_range_outcome(host) := {"outcome": "refused", "message": message} if {
	message := hosts.range_problem(host)
} else := {"outcome": "reinterpreted", "message": message} if {
	range := hosts.range_of(host)
	width := _range_width_text(range)
	message := $"Kafka {input.to} reads the host as a range of addresses{width}; until then the ACL matches no client"
}

_range_width_text(range) := $", all of {range.family}" if {
	range.prefix == 0
} else := $" with {range.open} open bits of {range.family}"

# What rules about names say of it, under the settings of all clusters.
_topic_name_problems(name) := array.concat(
	sort({refusal.message | some refusal in resources.own_topic({"errors.deadletterqueue.topic.name": name})}),
	sort({$"{denied.rule}: {denied.message}" |
		name != ""
		topic := {
			"operation": "CreateTopic", "cluster": "", "topic": name, "request": {"topic": name},
			"params": settings.params("", ""), "labels": {}, "requested": {"internal": false}, "clusterState": {},
		}
		denials := naming.deny with input as topic
		some denied in denials
	}),
)

_is_crossed(release, from, to) if {
	from < lists.version(release)
	to >= lists.version(release)
}
