package checks.settings_test

import data.checks.settings

_shipped_layer := {"rules": {
	"A-1": {"mode": "deny", "params": {"min": 1, "max": 9}},
	"A-2": {"mode": "disabled", "params": {"size": 5}},
}}

_own_layer := {
	"rules": {"A-1": {"params": {"max": 8}}},
	"clusters": [
		{"match": {"name": "prod-*"}, "rules": {"A-1": {"params": {"max": 7}}}},
		{"match": {"name": "prod-eu"}, "rules": {"A-1": {"mode": "warn", "enforceFrom": "2027-01-01"}}},
		{"match": {"name": "lab"}, "rules": {"A-2": {"mode": "deny", "params": {"size": 6}}}},
	],
	"enforcementPoints": {"ci": {"A-2": {"mode": "dryrun"}}},
}

_effective(cluster, point) := rules if {
	rules := settings.effective with input as {
		"settings": object.union(_shipped_layer, _own_layer),
		"layers": [_shipped_layer, _own_layer],
		"cluster": cluster,
		"enforcementPoint": point,
	}
}

_origin(layer, path) := {"layer": layer, "path": path}

test_effective_where_nothing_is_said_of_it if {
	_effective("dev", "gateway") == {
		"A-1": {"mode": "deny", "params": {"min": 1, "max": 8}, "origins": {
			"mode": _origin(0, ["rules", "A-1", "mode"]),
			"params": {
				"min": _origin(0, ["rules", "A-1", "params", "min"]),
				"max": _origin(1, ["rules", "A-1", "params", "max"]),
			},
		}},
		"A-2": {"mode": "disabled", "params": {"size": 5}, "origins": {
			"mode": _origin(0, ["rules", "A-2", "mode"]),
			"params": {"size": _origin(0, ["rules", "A-2", "params", "size"])},
		}},
	}
}

test_effective_for_a_cluster_at_an_enforcement_point if {
	_effective("prod-eu", "ci") == {
		"A-1": {"mode": "warn", "enforceFrom": "2027-01-01", "params": {"min": 1, "max": 7}, "origins": {
			"mode": _origin(1, ["clusters", 1, "rules", "A-1", "mode"]),
			"enforceFrom": _origin(1, ["clusters", 1, "rules", "A-1", "enforceFrom"]),
			"params": {
				"min": _origin(0, ["rules", "A-1", "params", "min"]),
				"max": _origin(1, ["clusters", 0, "rules", "A-1", "params", "max"]),
			},
		}},
		"A-2": {"mode": "dryrun", "params": {"size": 5}, "origins": {
			"mode": _origin(1, ["enforcementPoints", "ci", "A-2", "mode"]),
			"params": {"size": _origin(0, ["rules", "A-2", "params", "size"])},
		}},
	}
}

# A mode alone leaves the parameters to the layers before, also where the base disables the rule.
test_effective_where_only_a_mode_is_said if {
	_effective("lab", "ci")["A-2"] == {"mode": "dryrun", "params": {"size": 6}, "origins": {
		"mode": _origin(1, ["enforcementPoints", "ci", "A-2", "mode"]),
		"params": {"size": _origin(1, ["clusters", 2, "rules", "A-2", "params", "size"])},
	}}
}

# What no layer says has no origin.
test_effective_without_an_origin if {
	rules := settings.effective with input as {
		"settings": _shipped_layer,
		"layers": [],
		"cluster": "dev",
		"enforcementPoint": "ci",
	}
	rules["A-2"].origins == {"mode": null, "params": {"size": null}}
}
