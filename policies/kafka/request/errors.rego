package kafka.request

# METADATA
# description: |
#   What keeps `document` from being a decision input, one sentence per field; empty when nothing does.
#   Nothing behind an error is looked at: a document that does not fit is denied before any rule is asked.
errors(document) := {"the input is not a JSON object: send one decision input"} if {
	not is_object(document)
} else := found if {
	found := _field_errors("", document, envelope, required)
	found != set()
} else := {message} if {
	not operations[document.operation]
	known := concat(", ", sort(object.keys(operations)))
	message := $"operation: {json.marshal(document.operation)} is unknown; use one of {known}"
} else := found if {
	operation := operations[document.operation]
	found := _field_errors("request.", document.request, operation.fields, operation.required)
	found != set()
} else := {$"cluster: nothing is known about {json.marshal(document.cluster)}; replicate it or send clusterState"} if {
	not document.clusterState
	not data.clusters[document.cluster]
} else := set()

_field_errors(prefix, document, fields, needed) := ({message |
	some field, value in document
	type := fields[field]
	not is_a(type, value)
	message := $"{prefix}{field}: {_shown(value)} is not {words[type]}"
} | {message |
	some field in (needed - object.keys(document))
	message := $"{prefix}{field}: missing; give {words[fields[field]]}"
}) | {message |
	some field in (object.keys(document) - object.keys(fields))
	message := $"{prefix}{field}: unknown field; use {concat(", ", sort(object.keys(fields)))}"
}

_shown(value) := text if {
	text := json.marshal(value)
	count(text) <= 80
} else := $"this {type_name(value)}"
