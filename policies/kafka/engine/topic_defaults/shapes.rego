package kafka.engine.topic_defaults

import data.kafka.cluster
import data.kafka.configs

# METADATA
# description: |
#   The topics that the request reaches, by what rules can read of them: rules look at each of these shapes once, and at
#   the next topic that sets nothing itself (`_new_topic_shape`). What a site's own rules read may differ from topic to
#   topic. OPA indexes the comprehension by the shape, where a partial set costs the square of its members.
_topics_by_shape := {shape: names |
	some shape in {shape | some shape in _shape_by_topic}
	names := {name | _shape_by_topic[name] == shape}
}

_shape_by_topic := {name: shape |
	some name, topic in _topics_on_affected_brokers
	overrides := object.get(topic, "configs", {})
	_changed_inherited_configs - object.keys(overrides) != set()
	removing := object.get(topic, ["reassigning", "0", "removing"], [])
	shape := object.union(
		{
			"configs": object.filter(overrides, _configs_read_by_rules),
			"labels": object.filter(object.get(topic, "labels", {}), _labels_read_by_rules),
			"internal": object.get(topic, "internal", false),
			"replicationFactor": count(object.get(topic, ["replicasAssignments", "0"], [])) - count(removing),
		},
		{field: value | some field in _fields_read_by_site_rules; value := object.union(topic, {"topic": name})[field]},
	)
}

_new_topic_shape := {"configs": {}, "labels": {}, "internal": false}

_changed_inherited_configs := object.keys(changed)

# The rules that name something of what changes, by their files and their parameters, with all that they name. The
# others say the same of a topic before and after. Names of configs have no quotation marks: between two of them stands
# a text, or what is between texts.
_config_names_by_affected_rule[id] := names if {
	some id, params in input.params
	rule := data.catalog.rules[id]
	is_evaluated(id, rule)
	said := json.marshal([params, [name | some name in data.catalog.state.names[id]]])
	names := {name | some name in regex.find_n(`[^"]+`, said, -1)}
	names & _changed_inherited_configs != set()
}

_params_by_affected_rule := object.filter(input.params, object.keys(_config_names_by_affected_rule))

# All that a topic sets goes to rules of a site's own.
_configs_read_by_rules := union({names | some names in _config_names_by_affected_rule}) if not data.site.rules

_configs_read_by_rules := object.keys(data.catalog.topic.types) if data.site.rules

_labels_read_by_rules contains label if {
	some params in _params_by_affected_rule
	some key, label in params
	regex.match(`[lL]abel(Key)?$`, key)
}

default _fields_read_by_site_rules := set()

_fields_read_by_site_rules := {"labels", "numPartitions", "replicasAssignments", "topic"} if data.site.rules

_are_topics_unknown if not cluster.part(input, "topics")

# What is set of one broker is for the topics that it has replicas of.
_topics_on_affected_brokers := cluster.part(input, "topics") if input.broker == ""

_topics_on_affected_brokers := {name: topic |
	some name, topic in cluster.part(input, "topics")
	some replicas in topic.replicasAssignments
	_broker_id in replicas
} if {
	input.broker != ""
}

_broker_id := configs.int32(input.broker)

# What rules see of a topic of this shape before and after the change. Two unions, since `object.union_n` copies the
# state for each shape.
_audit_input(shape, when) := object.union(_common_input, of_topic) if {
	values := configs.values("topic", shape.configs)
	state := object.union_n([object.get(_creation_defaults_by_shape, [when, shape], {}), shape, {"values": values}])
	of_topic := object.union(shape, {
		"current": state,
		"requested": state,
		"effective": {"values": object.union(_topic_defaults_in_force[when], values)},
	})
}

_common_input := object.union(
	object.filter(input, {"cluster", "clusterState", "enforcementPoint", "now", "principal"}),
	{"operation": "AuditTopic", "hasBefore": true, "params": _params_by_affected_rule},
)

_topic_defaults_in_force[when] := object.union(configs.topic_defaults(input), values) if {
	some when in ["before", "after"]
	values := {name: row[when] | some name, row in changed; not _creation_field_synonyms[name]}
}

# A new topic has its numbers from the brokers too, where they are known.
_creation_defaults_by_shape[when] := {_new_topic_shape: counts} if {
	some when in ["before", "after"]
	counts := {name: value | some name, [key] in _creation_field_synonyms; value := _creation_default(name, key, when)}
}

_creation_default(name, _, when) := changed[name][when]

_creation_default(name, key, _) := configs.int32(cluster.part(input, "defaults")[key]) if not changed[name]

# A change of what a topic inherits is to it as a change of its own would be.
_alter_input(shape) := object.union(_audit_input(shape, "after"), {
	"operation": "AlterTopic",
	"request": {},
	"current": {"configs": texts.before, "values": {name: changed[name].before | some name in names}},
	"change": {"before": texts.before, "after": texts.after, "explicit": texts.after, "implicitlyDeleted": []},
}) if {
	names := _changed_inherited_configs - object.keys(shape.configs)
	texts := {when: {name: json.marshal(changed[name][when]) | some name in names} | some when in ["before", "after"]}
}
