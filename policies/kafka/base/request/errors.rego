package kafka.base.request

import data.kafka.operations

# METADATA
# description: |
#   Whether the fields of a decision input are of their types. `own` is what of it has not been looked
#   at yet: all of it, or in a batch the item without what is common. Quick, because every document
#   passes here; `errors` says what is wrong.
# scope: document
is_well_formed(own, document) if {
	# Every topic has another name: one comparison here saves a function call for each. No topic has the empty one: what
	# Kafka says of that is looked for only then.
	object.get(document.request, "topic", null) != ""
	document.cluster != ""

	# Nor is anything known of a cluster whose state is being loaded.
	{true | data.clusters[document.cluster].meta.loading; not document.clusterState} == set()

	# One comparison of all JSON types at once: a loop with a test for each field takes twice the time.
	object.subset(envelope.types, {field: type_name(value) | some field, value in own})

	# The inside of the envelope's fields by itself: nearly every document has these, and a function each would cost more.
	_is_principal(object.get(document, "principal", {"type": "", "name": ""}))
	is_number(time.parse_rfc3339_ns(object.get(own, "now", "1970-01-01T00:00:00Z")))
	_has_valid_insides(object.filter(own, ["api", "pending", "unknown"]))
	request := document.request
	shape := operations[document.operation]
	types := {field: type_name(value) | some field, value in request}
	object.subset(shape.types, types)
	object.subset(types, shape.required)
	{field |
		some field, value in request
		kind := shape.inside[field]
		kind != "topicName"
		not is_a(kind, value)
	} == set()
}

# As above, of a request with fields that may be null.
is_well_formed(_, document) if {
	shape := operations[document.operation]
	nulls := {field | some field in shape.nullable; document.request[field] == null}
	nulls != set()
	{true | data.clusters[document.cluster].meta.loading; not document.clusterState} == set()
	_has_shape(envelope, document)
	_has_shape(shape, object.remove(document.request, nulls))
}

_has_shape(shape, document) if {
	types := {field: type_name(value) | some field, value in document}
	object.subset(shape.types, types)
	object.subset(types, shape.required)
	{field | some field, value in document; kind := shape.inside[field]; not is_a(kind, value)} == set()
}

# METADATA
# description: What keeps `document` from being a decision input, one sentence per field.
errors(document) := {"the input is not a JSON object: send one decision input"} if {
	not is_object(document)
} else := found if {
	found := _field_errors("", document, envelope)
	found != set()
} else := {message} if {
	not operations[document.operation]
	known := concat(", ", sort(object.keys(operations)))
	message := concat("", [
		$"operation: {json.marshal(document.operation)} is unknown",
		hint(document.operation, object.keys(operations)),
		$": use one of {known}",
	])
} else := found if {
	found := _field_errors("request.", document.request, operations[document.operation])
	found != set()
} else := {message} if {
	not document.clusterState
	data.clusters[document.cluster].meta.loading
	message := $"cluster: the state of {json.marshal(document.cluster)} is being loaded: ask again in a moment"
} else := {message} if {
	not is_known(document)
	document.enforcementPoint in {"broker", "gateway"} # its clients can do nothing about it
	name := json.marshal(document.cluster)
	message := $"cluster: no state of {name} is replicated: see that the replicator has it, and runs"
} else := {message} if {
	not is_known(document)
	message := $"cluster: nothing is known of {json.marshal(document.cluster)}: replicate it or send clusterState"
}

# METADATA
# description: As `errors`, for the part of an input that the items of a batch have in common.
envelope_errors(common) := set() if {
	is_object(common)
	_has_shape(_batch_common_envelope, common) # as nearly all are: a function for each field would cost more
} else := _field_errors("common.", common, _batch_common_envelope) if {
	is_object(common)
} else := {"common: not a JSON object: send the fields that the items share, or none"}

_batch_common_envelope := object.union(object.remove(envelope, ["required"]), {"required": {}})

# METADATA
# description: Whether anything is known of the document's cluster; of one that is being loaded nothing is.
# scope: document
is_known(document) if document.clusterState

is_known(document) if {
	data.clusters[document.cluster]
	not data.clusters[document.cluster].meta.loading
}

_field_errors(prefix, document, shape) := union({wrong, missing, unknown}) if {
	wrong := {message |
		some field, value in document
		shape.types[field]
		not _is_valid_field(field, value, shape)
		message := $"{prefix}{field}: {_value_text(value)} is not {_expected_value_text(field, shape)}"
	}
	missing := {message |
		some field in (object.keys(shape.required) - object.keys(document))
		message := $"{prefix}{field} is missing: give {_expected_value_text(field, shape)}"
	}
	unknown := {message |
		fields := object.keys(shape.types)
		some field in (object.keys(document) - fields)
		message := $"{prefix}{field}: unknown field{hint(field, fields)}: use {concat(", ", sort(fields))}"
	}
}

_is_valid_field(field, value, shape) if {
	type_name(value) == shape.types[field]
	not shape.inside[field]
}

_is_valid_field(field, null, shape) if field in shape.nullable

_is_valid_field(field, value, shape) if {
	type_name(value) == shape.types[field]
	is_a(shape.inside[field], value)
}

_expected_value_text(field, shape) := kinds[object.get(shape.inside, field, shape.types[field])].words

_value_text(value) := text if {
	text := json.marshal(value)
	count(text) <= 80
} else := $"this {type_name(value)}"
