package checks.settings

# METADATA
# description: |
#   The settings as the evaluator reads them, worked out once when the bundle is built: `base` and `points` hold the
#   parameters and modes of rules and what is said of freshness, `clusters` the same for what a row overrides, `waivers`
#   are keyed by rule. No state of at most `freshest` seconds is ever too old.
compiled := {
	"base": {
		"params": {id: rule.params | some id, rule in _shipped; rule.mode != "disabled"},
		"modes": {id: _mode(rule) | some id, rule in _shipped},
		"freshness": object.union(_unasked, object.get(input.settings, "freshness", {})),
	},
	"points": {point: _layer(object.remove(rules, ["freshness"]), rules) | some point, rules in input.settings.points},
	"clusters": [{"match": row.match, "layer": _layer(object.get(row, "rules", {}), row)} |
		some row in input.settings.clusters
	],
	"waivers": {rule: waivers |
		some rule in {waiver.rule | some waiver in input.settings.waivers}
		waivers := [waiver | some waiver in input.settings.waivers; waiver.rule == rule]
	},
	"freshest": _freshest(input.settings),
	"superUsers": object.get(input.settings, "superUsers", []),
	"policies": object.get(input.settings, "policies", {}),
}

_shipped := input.settings.rules

_mode(rule) := object.filter(rule, ["mode", "enforceFrom"])

# What a row or point says of rules. A rule that the base disables has its parameters here, should the layer enable it.
_layer(rules, row) := {
	"params": {id: params |
		some id, rule in rules
		params := object.union(_inherited(id), object.get(rule, "params", {}))
	},
	"modes": {id: mode | some id, rule in rules; mode := _mode(rule); mode != {}},
	"freshness": object.get(row, "freshness", {}),
}

_inherited(id) := _shipped[id].params if _shipped[id].mode == "disabled"

_inherited(id) := {} if _shipped[id].mode != "disabled"
