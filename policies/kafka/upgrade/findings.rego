# METADATA
# title: Upgrades of Kafka
# description: What another release of Kafka makes of a cluster, from the releases' own definitions (catalog/history).
# scope: subpackages
package kafka.upgrade

import data.kafka.lists

# METADATA
# title: What another release of Kafka changes
# description: |
#   What a newer Kafka makes of what a cluster has. The input is {"from", "to", "items": {key: {"component",
#   "configs"}}}, where the component is `broker` or `topic` for what is stored, `brokerDefaults` for the configs that
#   all brokers set, `features` for the levels of finalised features, as texts, `group` for those of a group, and `acl`
#   for the hosts of a principal's ACLs, each under what the ACL is about. The answer has findings under the same
#   keys, each with an outcome: `refused`, `removed`, `reinterpreted`; `default` only informs. Its notes are of any
#   cluster, its revision is that of the bundle.
# entrypoint: true
default findings := {"errors": ["the input is missing: send {from, to, items}"], "findings": {}, "notes": []}

# What the lists have to say of the items, and of the form of all: what is stored by nobody has no list.
findings := answer if {
	of_lists := lists.upgrade with input as _lists_input
	answer := _answer_with_list_findings(of_lists)
}

_answer_with_list_findings(of_lists) := {"errors": of_lists.errors, "findings": {}, "notes": []} if {
	of_lists.errors != []
} else := object.union({"errors": [], "findings": found, "notes": _all_notes}, _revision_field) if {
	from := lists.version(input.from)
	to := lists.version(input.to)
	found := {key: array.concat(others, of_lists.findings[key]) |
		some key, item in input.items
		named := {finding.name | some finding in of_lists.findings[key]}
		others := [object.union({"name": name}, outcome) |
			some name, outcome in _outcomes_by_name(item.component, item.configs, from, to)
			not name in named # what KIP-1161 changes says more
		]
	}
}

default _revision_field := {}

_revision_field := {"revision": data.catalog.bundle.revision}

_lists_input := object.union(object.remove(input, ["items"]), {"items": plain}) if {
	is_object(input.items)
	plain := {key: _item_for_lists(item) | some key, item in input.items}
} else := input

_item_for_lists(item) := {"component": "broker", "configs": _emptied_configs(item.configs)} if {
	item.component in {"acl", "brokerDefaults", "features", "group"}
} else := item

_emptied_configs(configs) := {} if is_object(configs)

_emptied_configs(configs) := configs if not is_object(configs)
