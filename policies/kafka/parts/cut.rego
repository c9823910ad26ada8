package kafka.parts

# METADATA
# title: How audits are cut
# description: |
#   What a scan has to know to cut the audit of a topic into its parts. `divisible`: false where rules of a site's own are loaded,
#   which may read anything: then only the whole AuditTopic will do. `labels`: those that rules about configs read; the others
#   stay out of AuditTopicConfigs. `named`: when a request about labels or configs carries the topic's name as well, since a rule
#   or a waiver looks at it: always (`labels`, about labels), where the topic overrides one of `configs`, where its name begins
#   with one of `prefixes`.
# entrypoint: true
cut := {
	"divisible": _divisible,
	"labels": sort({params[key] |
		some id, params in _enabled[_]
		split(id, "-")[1] in _about_configs
		"AuditTopic" in data.catalog.rules[id].operations
		some key in _label_params
	}),
	"named": {
		"labels": count({id | some id, _ in _enabled[_]; data.catalog.rules[id].named == "always"}) > 0,
		"configs": sort({name | some id, _ in _enabled[_]; some name in data.catalog.rules[id].named}),
		"prefixes": sort({prefix |
			some waivers in _rows("waivers", {})
			some waiver in waivers
			waiver.topic != "*"
			prefix := regex.find_n(`^[^*?\[{\\]*`, waiver.topic, 1)[0]
		}),
	},
}

default _divisible := true

_divisible := false if data.site.rules

_about_configs := {"CMP", "DUR", "LST", "MSG", "RET", "SIZ", "TIE"}

_label_params := {"labelKey", "justifyLabel"}

# The parameters of the rules that are enabled anywhere.
_enabled contains data.settings.compiled.base.params

_enabled contains layer.params if {
	some layer in _rows("points", {})
}

_enabled contains row.layer.params if {
	some row in _rows("clusters", [])
}

# In a bundle the settings are constants, and a reference into an empty one is refused when it is built.
_rows(part, none) := object.get(data.settings.compiled, part, none)
