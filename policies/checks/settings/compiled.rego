package checks.settings

# METADATA
# description: |
#   The settings as the evaluator reads them, worked out once when the bundle is built: `base` and `enforcementPoints`
#   hold the parameters and modes of rules and what is said of freshness, `clusters` the same for what a row overrides,
#   `waivers` are keyed by rule. A state within the limits of `fresh` is so for every operation.
compiled := {
	"base": {
		"params": {id: rule.params | some id, rule in _base_rule_settings; rule.mode != "disabled"},
		"modes": {id: _mode_fields(rule) | some id, rule in _base_rule_settings},
		"freshness": object.union(_unlimited_freshness, object.get(input.settings, "freshness", {})),
	},
	"enforcementPoints": {name: _compiled_layer(object.remove(rules, ["freshness"]), rules) |
		some name, rules in input.settings.enforcementPoints
	},
	"clusters": [{"match": row.match, "layer": _compiled_layer(object.get(row, "rules", {}), row)} |
		some row in input.settings.clusters
	],
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

# What a row or enforcement point says of rules. A rule that the base disables has its parameters here, should the
# layer enable it; one that only gets another mode has none, so that the base's are handed on as they are.
_compiled_layer(rules, row) := {
	"params": {id: params |
		some id, rule in rules
		not _has_only_a_mode(id, rule)
		params := object.union(_params_of_disabled_rule(id), object.get(rule, "params", {}))
	},
	"modes": {id: mode | some id, rule in rules; mode := _mode_fields(rule); mode != {}},
	"freshness": object.get(row, "freshness", {}),
}

_has_only_a_mode(id, rule) if {
	_base_rule_settings[id].mode != "disabled"
	not rule.params
}

_params_of_disabled_rule(id) := _base_rule_settings[id].params if _base_rule_settings[id].mode == "disabled"

_params_of_disabled_rule(id) := {} if _base_rule_settings[id].mode != "disabled"
