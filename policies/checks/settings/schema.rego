# METADATA
# title: Checks of settings
# description: |
#   Settings against a JSON schema made from the rules' own METADATA. Evaluated when a bundle is built, never part of
#   one. `input` is {"rules": the rules' metadata by id, "settings": the document,
#   "complete": whether every rule must stand in it}.
# scope: subpackages
package checks.settings

# METADATA
# description: The JSON schema of a settings document; editors can use it too.
schema := {
	"$schema": "http://json-schema.org/draft-07/schema#",
	"type": "object",
	"additionalProperties": false,
	"required": [field | input.complete; some field in ["rules", "clusters", "enforcementPoints", "waivers", "freshness"]],
	"properties": {
		"rules": _base_rules_schema,
		"clusters": {"type": "array", "items": _cluster_schema},
		"enforcementPoints": {"type": "object", "additionalProperties": _enforcement_point_schema},
		"waivers": {"type": "array", "items": _waiver_schema},
		"freshness": _freshness_schema,
		"policies": _policies_schema,
		"callers": {"type": "object", "additionalProperties": _caller_schema},
		"issuers": {"type": "object", "additionalProperties": _issuer_schema},
		"superUsers": {"type": "array", "items": {"type": "string", "pattern": "^[^:]+:."}},
		"advice": _advice_schema,
		"ecosystem": _ecosystem_schema,
	},
}

# Tools whose own topics may break rules. Those are in the catalogue, which no settings are checked with.
_ecosystem_schema := {
	"type": "object",
	"additionalProperties": false,
	"properties": object.union(
		{tool: {"type": "object", "additionalProperties": false} | some tool in _ecosystem_tools},
		{"mirror": {
			"type": "object",
			"additionalProperties": false,
			"properties": {"aliases": {"type": "array", "items": {"type": "string", "pattern": "^[a-zA-Z0-9_-]+$"}}},
		}},
	),
}

_ecosystem_tools := {"connect", "cruiseControl", "ksql", "mirror", "schemaRegistry", "streams", "strimzi"}

# What stands behind the message of a denial: a link, a name to ask.
_advice_schema := {
	"type": "object",
	"additionalProperties": false,
	"properties": {
		"all": _advice_text_schema,
		"owners": {"type": "object", "additionalProperties": _advice_text_schema},
		"rules": {
			"type": "object",
			"additionalProperties": false,
			"properties": {id: _advice_text_schema | some id, _ in input.rules},
		},
	},
}

_advice_text_schema := {"type": "string", "minLength": 1, "maxLength": 500}

# Packages of Rego, where Kafka names classes.
_policies_schema := {
	"type": "object",
	"additionalProperties": false,
	"properties": {
		"create.topic.policy": _legacy_package_schema,
		"alter.config.policy": _legacy_package_schema,
		"topic.management.policy": {"const": "kafka.rules"},
	},
}

_legacy_package_schema := {"type": "string", "pattern": "^site[.]legacy[.][a-z_][a-zA-Z0-9_]*$"}

_base_rules_schema := _complete_rules_schema if input.complete

_base_rules_schema := _overlaid_rules_schema if not input.complete

_overlaid_rules_schema := {
	"type": "object",
	"additionalProperties": false,
	"properties": {id: _rule_schema(rule) | some id, rule in input.rules},
}

# Only the base must be complete; what lies over it says what differs.
_complete_rules_schema := object.union(_overlaid_rules_schema, {
	"required": sort(object.keys(input.rules)),
	"properties": {id: full |
		some id, rule in input.rules
		full := object.union(_rule_schema(rule), {
			"required": ["mode", "params"],
			"properties": {"params": {"required": sort(object.keys(rule.params))}},
		})
	},
})

_rule_schema(rule) := {
	"type": "object",
	"additionalProperties": false,
	"properties": {
		"mode": {"enum": ["deny", "warn", "dryrun", "disabled"]},
		"enforceFrom": _date_schema,
		"found": {"enum": ["deny", "warn", "dryrun"]},
		"params": {"type": "object", "additionalProperties": false, "properties": rule.params},
	},
}

_cluster_schema := {
	"type": "object",
	"additionalProperties": false,
	"required": ["match"],
	"properties": {
		"match": {
			"type": "object",
			"additionalProperties": false,
			"required": ["name"],
			"properties": {"name": {"type": "string"}},
		},
		"rules": _overlaid_rules_schema,
		"freshness": _overlaid_freshness_schema,
	},
}

# An enforcement point has its rules by their ids, and beside them what holds for none of them.
_enforcement_point_schema := object.union(_overlaid_rules_schema, {
	"properties": {"freshness": _overlaid_freshness_schema},
})

_waiver_schema := {
	"type": "object",
	"additionalProperties": false,
	"required": ["id", "rule", "owner", "reason", "expires"],
	"properties": {
		"id": {"type": "string"},
		"rule": {"type": "string"},
		"cluster": {"type": "string"}, "topic": {"type": "string"},
		"object": {"type": "string"},
		"owner": {"type": "string"},
		"reason": {"type": "string"},
		"ticket": {"type": "string"},
		"expires": _date_schema,
	},
}

_date_schema := {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
