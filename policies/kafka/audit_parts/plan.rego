package kafka.audit_parts

import data.kafka.engine.ecosystem
import data.kafka.model.topics
import data.kafka.operations

# METADATA
# title: How audits are divided
# description: |
#   What a scan has to know to divide the audit of a topic into its parts. `divisible`: false where rules of a site's
#   own are loaded, which may read anything, where one of Warden's looks at other clusters, where the settings limit the
#   age of the state for audits, or where they let tools' own topics break rules: then only the whole AuditTopic
#   will do. `labels`: those that the rules about labels
#   and those about configs read; the others stay out of the request. `named`: when a request about labels or configs
#   carries the topic's name as well, since a rule or a waiver looks at it: always (`labels`, about labels), where the
#   topic overrides one of `configs`, where its name begins with one of `prefixes`. `replicationFactor`: the `partition`
#   whose replicas are counted for a request about configs, and the list of its reassignment whose brokers are not
#   counted (`without`).
# entrypoint: true
plan := {
	"divisible": _is_divisible,
	"labels": {part: _labels_read_by(families) | some part, families in _families_by_part},
	"named": {
		"labels": {id | some params in _all_params; some id, _ in params; data.catalog.rules[id].named == "always"} != set(),
		"configs": sort({name | some params in _all_params; some id, _ in params; some name in data.catalog.rules[id].named}),
		"prefixes": sort({prefix |
			some waivers in _compiled_setting("waivers", {})
			some waiver in waivers
			waiver.topic != "*"
			prefix := regex.find_n(`^[^*?\[{\\]*`, waiver.topic, 1)[0]
		}),
	},
	"replicationFactor": topics.replication_factor,
}

default _is_divisible := true

_is_divisible := false if data.site.rules

# Whether a topic is a tool's own is known by its name and its configs together.
_is_divisible := false if ecosystem.chosen_tools != {}

# What a part asks with is of its own cluster.
_is_divisible := false if {
	some params in _all_params
	some id, _ in params
	data.catalog.state.lookups[id]
	"AuditTopic" in data.catalog.rules[id].operations
}

# A part is never old; the whole is, where the settings want to know of an audit how old its state is.
_is_divisible := false if {
	some layer in _settings_layers
	object.get(layer, ["freshness", "operations", "AuditTopic", "then"], "ignore") != "ignore"
}

_labels_read_by(families) := sort({label |
	some enabled in _all_params
	some id, params in enabled
	rule := data.catalog.rules[id]
	split(rule.file, "/")[2] in families
	"AuditTopic" in rule.operations
	some key, label in params
	key in {"labelKey", "justifyLabel"}
})

_families_by_part := {"labels": operations.AuditTopicLabels.families, "configs": operations.AuditTopicConfigs.families}

# The parameters of the rules that are enabled anywhere.
_all_params contains params if {
	some layer in _settings_layers
	some part in ["disabledParams", "params"]
	params := layer[part]
}

_settings_layers contains data.settings.compiled.base

_settings_layers contains layer if some layer in _compiled_setting("enforcementPoints", {})

_settings_layers contains row.layer if some row in _compiled_setting("clusters", [])

# In a bundle the settings are constants, and a reference into an empty one is refused when it is built.
_compiled_setting(part, none) := object.get(data.settings.compiled, part, none)
