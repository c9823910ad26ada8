package checks.schemas_test

import data.checks.schemas
import data.kafka.base.request
import data.kafka.operations

_annotations := [{
	"annotations": {"title": $"Title of {operation}", "description": $"About {operation}.\n"},
	"path": [{"value": piece} | some piece in ["data", "kafka", "operations", operation]],
} |
	some operation, _ in operations
]

_rules := {"KFK-DUR-009": {"params": {"min": {"type": "integer"}}}}

_schemas := made if {
	made := schemas.schemas with input as {"annotations": _annotations, "rules": _rules, "complete": false}
}

test_documents if {
	object.keys(_schemas) == {"cluster_state", "decision", "decision_input", "settings", "waivers"}
	every schema in _schemas {
		schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
		schema.title != ""
		schema.description != ""
	}
}

test_request_of_an_operation if {
	_schemas.decision_input["$defs"].DeleteTopic == {
		"title": "Title of DeleteTopic",
		"description": "About DeleteTopic.",
		"type": "object",
		"additionalProperties": false,
		"required": ["topic"],
		"properties": {
			"topic": {"type": "string", "description": "Name of the topic."},
			"topicsInRequest": {
				"type": "integer",
				"description": "How many topics the same request deletes, 1 where it is missing.",
			},
		},
	}
}

test_a_field_that_may_be_null if {
	_schemas.decision_input["$defs"].DescribeClientConfigs.properties.supportedConfigs == {
		"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}],
		"description": "Configs that the client knows; null where it does not say.",
	}
}

test_what_a_field_means_by_operation[operation] if {
	some operation, meaning in {
		"AuditTopicConfigs": "Number of partitions.",
		"AlterTopic": "The new total of partitions.",
	}
	_schemas.decision_input["$defs"][operation].properties.numPartitions.description == meaning
}

test_every_field_of_the_tables_is_there if {
	schema := _schemas.decision_input
	object.keys(schema.properties) == object.keys(request.envelope.types)
	schema.required == ["cluster", "operation", "request"]
	every operation, row in operations {
		object.keys(schema["$defs"][operation].properties) == object.keys(row.types)
	}
	{condition["if"].properties.operation.const | some condition in schema.then.allOf} == object.keys(operations)
}

test_fields_that_some_decisions_have if {
	decision := _schemas.decision
	decision.properties.entries.description == "Only of AlterClientConfigs and DescribeClientConfigs."
	not "entries" in decision.required
}

# What may be said of a rule stands once, and is referred to.
test_settings if {
	settings := _schemas.settings
	settings["$defs"]["KFK-DUR-009"].properties.params.properties == _rules["KFK-DUR-009"].params
	settings.properties.rules.properties == {"KFK-DUR-009": {"$ref": "#/$defs/KFK-DUR-009"}}
	settings.properties.clusters.items.properties.rules == settings.properties.rules
	points := settings.properties.enforcementPoints.additionalProperties.properties
	object.remove(points, ["freshness"]) == settings.properties.rules.properties
	_schemas.waivers.items == settings.properties.waivers.items
}

# Parts of a cluster's state that decisions read are described.
test_state_that_is_read[operation] if {
	some operation, row in operations
	row.reads - object.keys(_schemas.cluster_state.properties) == set()
}
