# METADATA
# title: JSON Schemas of the contract
# description: |
#   JSON Schemas (2020-12) of the documents that go into OPA and come out of it, made from the tables that the engine
#   checks with: kafka/operations, the envelope and the kinds of kafka/base/request, and the rules' METADATA.
#   Evaluated when the files in schemas/ are written, never part of a bundle. `input` is {"annotations": what
#   `opa inspect -a` lists, "rules": the rules' METADATA by id, "complete": false}.
# scope: subpackages
package checks.schemas

import data.checks.settings

# METADATA
# description: The schema of each kind of document, by the name of its file.
# entrypoint: true
schemas := {
	"cluster_state": _with_dialect(_cluster_state_schema),
	"decision": _with_dialect(_decision_schema),
	"decision_input": _with_dialect(_decision_input_schema),
	"settings": _with_dialect(_settings_schema),
	"waivers": _with_dialect(object.union(settings.schema.properties.waivers, _waiver_annotations)),
}

_with_dialect(schema) := object.union({"$schema": "https://json-schema.org/draft/2020-12/schema"}, schema)

# What may be said of a rule stands in three places, and once in the file.
_settings_schema := object.union(
	json.patch(object.remove(settings.schema, ["$schema"]), array.concat(
		[{"op": "replace", "path": array.concat(place, [id]), "value": {"$ref": $"#/$defs/{id}"}} |
			some place in _paths_to_rules
			some id, _ in rules
		],
		[{"op": "add", "path": ["$defs"], "value": rules}],
	)),
	{
		"title": "Settings",
		"description": "What an administrator's YAML may say; it is laid over the settings that ship.",
	},
) if {
	rules := settings.schema.properties.rules.properties
}

_paths_to_rules := [
	["properties", "rules", "properties"],
	["properties", "clusters", "items", "properties", "rules", "properties"],
	["properties", "enforcementPoints", "additionalProperties", "properties"],
]

_waiver_annotations := {
	"title": "Waivers",
	"description": "Exceptions from rules, each with an owner, a reason and a last day: `waivers` of the settings.",
}

# An object with these fields and no others.
_closed_object(properties, required) := {
	"type": "object",
	"additionalProperties": false,
	"required": sort(required),
	"properties": properties,
}

# An object with these fields, and perhaps others.
_open_object(properties, required) := object.remove(_closed_object(properties, required), ["additionalProperties"])

_map_of(values) := {"type": "object", "additionalProperties": values}

_nullable_schema(schema) := {"anyOf": [schema, {"type": "null"}]}

_text_schema := {"type": "string"}

_texts_schema := {"type": "array", "items": _text_schema}

_count_schema := {"type": "integer", "minimum": 0}

_with_description(schema, description) := object.union(schema, {"description": description})
