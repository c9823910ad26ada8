# METADATA
# title: Checks of settings
# description: |
#   Settings against a JSON schema made from the rules' own METADATA. Asked when a bundle is built, never part of one.
#   `input` is {"rules": the rules' metadata by id, "settings": the document, "complete": whether every rule must stand in it}.
# scope: subpackages
package checks.settings

# METADATA
# description: The JSON schema of a settings document; editors can use it too.
schema := {
	"$schema": "http://json-schema.org/draft-07/schema#",
	"type": "object",
	"additionalProperties": false,
	"required": [field | input.complete; some field in ["rules", "clusters", "points", "waivers"]],
	"properties": {
		"rules": object.union(_rules, {"required": [id | input.complete; some id, _ in input.rules]}),
		"clusters": {"type": "array", "items": _cluster},
		"points": {"type": "object", "additionalProperties": _rules},
		"waivers": {"type": "array", "items": _waiver},
	},
}

_rules := {
	"type": "object",
	"additionalProperties": false,
	"properties": {id: _rule(rule) | some id, rule in input.rules},
}

_rule(rule) := {
	"type": "object",
	"additionalProperties": false,
	"required": [field | input.complete; some field in ["mode", "params"]],
	"properties": {
		"mode": {"enum": ["deny", "warn", "dryrun", "disabled"]},
		"enforceFrom": _date,
		"params": {
			"type": "object",
			"additionalProperties": false,
			"properties": rule.params,
			"required": [name | input.complete; some name, _ in rule.params],
		},
	},
}

_cluster := {
	"type": "object",
	"additionalProperties": false,
	"required": ["match", "rules"],
	"properties": {
		"match": {
			"type": "object",
			"additionalProperties": false,
			"required": ["name"],
			"properties": {"name": {"type": "string"}},
		},
		"rules": _rules,
	},
}

_waiver := {
	"type": "object",
	"additionalProperties": false,
	"required": ["id", "rule", "owner", "reason", "expires"],
	"properties": {
		"id": {"type": "string"},
		"rule": {"type": "string"},
		"cluster": {"type": "string"},
		"topic": {"type": "string"},
		"owner": {"type": "string"},
		"reason": {"type": "string"},
		"ticket": {"type": "string"},
		"expires": _date,
	},
}

_date := {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
