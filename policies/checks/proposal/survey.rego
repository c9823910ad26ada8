# METADATA
# title: Proposal of settings
# description: |
#   Settings that an estate can begin with, from what it breaks today. Evaluated by `warden settings propose`, never
#   part of a bundle; data.yaml has the limits. `input.rules` is the rules' METADATA by id, `input.settings` the
#   settings that the proposal lies on, `input.clusters` the names of the clusters.
# scope: subpackages
package checks.proposal

# METADATA
# description: |
#   What is to be counted: `settings` of three scans (`all` under which every rule that is not disabled warns and
#   nothing is waived, `greatest` and `least` under which every value breaks its bound), the class of each cluster in
#   `classes`, the `bounds`, each with the parameter and the regular expression that finds the value in a message, and
#   of the limits the `shares` and how many `outliers` are to be named.
survey := {
	"settings": object.union(
		{"all": _scan_settings(_warning_rule_settings)},
		{direction: _scan_settings(_probing_rule_settings(direction)) | some direction in ["greatest", "least"]},
	),
	"classes": {cluster: _cluster_class(cluster) | some cluster in input.clusters},
	"bounds": [_bound_with_pattern(id, name, param) |
		some id, rule in input.rules
		_mode_in_settings(id) != "disabled"
		some name, param in rule.params
		param.direction
	],
	"shares": data.checks.proposal.limits.shares,
	"outliers": data.checks.proposal.limits.waivers,
}

# Clusters whose names have the same beginning, up to the first separator.
_cluster_class(cluster) := concat("", [prefixes[0], "*"]) if {
	prefixes := regex.find_n(`^[^-._]+[-._]`, cluster, 1)
	prefixes != []
} else := cluster

# Nothing of the old rows stays: a union goes into what is in both.
_scan_settings(rules) := object.union(object.remove(input.settings, object.keys(laid)), laid) if {
	laid := {"rules": rules, "clusters": [], "enforcementPoints": {}, "waivers": []}
}

_warning_rule_settings[id] := object.union(object.remove(rule, ["enforceFrom"]), {"mode": mode}) if {
	some id, rule in input.settings.rules
	mode := {true: "disabled", false: "warn"}[rule.mode == "disabled"]
}

_probing_rule_settings(direction) := {id: object.union(rule, {"mode": mode, "params": params}) |
	some id, rule in _warning_rule_settings
	extremes := {name: _unmeetable_bound(param, direction) | some name, param in input.rules[id].params; param.direction}
	params := object.union(rule.params, extremes)
	mode := {true: "disabled", false: rule.mode}[extremes == {}]
}

_unmeetable_bound(param, "greatest") := object.get(param, "minimum", 0)

# Kafka's greatest long.
_unmeetable_bound(param, "least") := object.get(param, "maximum", 9223372036854775807)

_bound_with_pattern(id, name, param) := {
	"rule": id,
	"param": name,
	"direction": param.direction,
	"pattern": $"^{_regex_literal(before)}(-?[0-9.]+)",
} if {
	some before in {split(text, "{actual}")[0] | some text in _message_templates(input.rules[id])}
}

# A rule's texts by case begin with the same words, as far as the value.
_message_templates(rule) := {text | text := rule.message} | {text | some text in rule.messages}

_regex_literal(text) := regex.replace(text, `[^A-Za-z0-9 ]`, `\$0`)

_mode_in_settings(id) := input.settings.rules[id].mode
