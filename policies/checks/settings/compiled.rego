package checks.settings

# METADATA
# description: |
#   The settings as the evaluator reads them, worked out once when the bundle is built: `base` and `enforcementPoints`
#   hold the parameters and modes of rules and what is said of freshness, `clusters` the same for what a row overrides,
#   `waivers` are keyed by rule. A state within the limits of `fresh` is so for every operation. `disabledParams` are
#   the base's of rules that it disables and a row or enforcement point may enable: they lie under what any of these
#   says.
compiled := {
	"base": {
		"params": {id: rule.params | some id, rule in _base_rule_settings; rule.mode != "disabled"},
		"disabledParams": {id: rule.params |
			some id, rule in _base_rule_settings
			rule.mode == "disabled"
			id in _ids_in_layers
		},
		"modes": {id: _mode_fields(rule) | some id, rule in _base_rule_settings},
		"freshness": object.union(_unlimited_freshness, object.get(input.settings, "freshness", {})),
	},
	"enforcementPoints": _compiled_enforcement_points,
	"clusters": _compiled_cluster_rows,
	"waivers": {rule: waivers |
		some rule in {waiver.rule | some waiver in input.settings.waivers}
		waivers := [waiver | some waiver in input.settings.waivers; waiver.rule == rule]
	},
	"fresh": {limit: _least_limit(input.settings, limit) | some limit in ["maxAgeSeconds", "maxAheadSeconds"]},
	"callers": {"tokens": _caller_by_token_hash, "issuers": _issuer_by_url},
	"superUsers": object.get(input.settings, "superUsers", []),
	"advice": object.get(input.settings, "advice", {}),
	"policies": object.get(input.settings, "policies", {}),
	"ecosystem": object.get(input.settings, "ecosystem", {}),
}

_base_rule_settings := input.settings.rules

_mode_fields(rule) := object.filter(rule, ["mode", "enforceFrom", "found"])

_compiled_enforcement_points[name] := _compiled_layer(object.remove(rules, ["freshness"]), rules) if {
	some name, rules in input.settings.enforcementPoints
}

_compiled_cluster_rows := [{"match": row.match, "layer": _compiled_layer(object.get(row, "rules", {}), row)} |
	some row in input.settings.clusters
]

_ids_in_layers contains id if {
	some layer in _compiled_enforcement_points
	some id, _ in layer.params
}

_ids_in_layers contains id if {
	some row in _compiled_cluster_rows
	some id, _ in row.layer.params
}

# What a row or enforcement point says of rules. A rule that the base disables is among the parameters, as the layer may
# enable it; one that only gets another mode is not, so that the base's are handed on as they are.
_compiled_layer(rules, row) := {
	"params": {id: params |
		some id, rule in rules
		not _has_only_a_mode(id, rule)
		params := object.get(rule, "params", {})
	},
	"modes": {id: mode | some id, rule in rules; mode := _mode_fields(rule); mode != {}},
	"freshness": object.get(row, "freshness", {}),
}

_has_only_a_mode(id, rule) if {
	_base_rule_settings[id].mode != "disabled"
	not rule.params
}
