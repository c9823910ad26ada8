package kafka.request

# METADATA
# description: |
#   Whether the fields of a decision input are of their types. `own` is what of it has not been looked at yet: all of it,
#   or in a batch the item without what is common. Quick, because every document passes here; `errors` says what is wrong.
fits(own, document) if {
	{field | some field, value in own; not type_name(value) in kinds[envelope[field]]} == set()
	fields := operations[document.operation].fields
	{field | some field, value in document.request; not type_name(value) in kinds[fields[field]]} == set()
	not _unfit_inside(own, envelope)
	not _unfit_inside(document.request, fields)
}

# METADATA
# description: What keeps `document` from being a decision input, one sentence per field.
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
} else := {message} if {
	not _known(document)
	message := $"cluster: nothing is known of {json.marshal(document.cluster)}; replicate it or send clusterState"
}

# METADATA
# description: As `errors`, for the part of an input that the items of a batch have in common.
envelope_errors(common) := _field_errors("common.", common, envelope, set()) if {
	is_object(common)
} else := {"common: not a JSON object; send the fields that the items share, or none"}

_unfit_inside(document, fields) if {
	some field, value in document
	fields[field] in _deep
	not is_a(fields[field], value)
}

# The types that a look at the value alone does not settle.
_deep := object.keys(kinds) - {"boolean", "object", "string"}

_known(document) if document.clusterState

_known(document) if data.clusters[document.cluster]

_field_errors(prefix, document, fields, needed) := union({wrong, missing, unknown}) if {
	wrong := {message |
		some field, value in document
		type := fields[field]
		not is_a(type, value)
		message := $"{prefix}{field}: {_shown(value)} is not {words[type]}"
	}
	missing := {message |
		some field in (needed - object.keys(document))
		message := $"{prefix}{field}: missing; give {words[fields[field]]}"
	}
	unknown := {message |
		some field in (object.keys(document) - object.keys(fields))
		message := $"{prefix}{field}: unknown field; use {concat(", ", sort(object.keys(fields)))}"
	}
}

_shown(value) := text if {
	text := json.marshal(value)
	count(text) <= 80
} else := $"this {type_name(value)}"
