package kafka.client_configs

import data.kafka.configs

# METADATA
# title: Accepted client configs
# description: |
#   What a producer or consumer makes of the configs it is given: they go over its static ones unless those demand
#   otherwise. `input` is {"kind", "static", "dynamic"}; the result's `configs` are what is in force
#   then, `ignored` has a reason for each key that is not taken, and `notes` (only where there is one)
#   what a key that is taken changes besides. `revision` (only where it has one) is the bundle's.
# entrypoint: true
default accepted := {
	"configs": {},
	"accepted": {},
	"ignored": {},
	"errors": ["the input is missing: send kind, static and dynamic"],
}

accepted := {"configs": {}, "accepted": {}, "ignored": {}, "errors": problems} if {
	problems := sort(_accepted_input_problems(input))
	problems != []
} else := _acceptance(input.kind, object.get(input, "static", {}), object.get(input, "dynamic", {}))

_acceptance(kind, static, dynamic) := object.union_n([_revision_field, _idempotence_notes(kind, static, taken), {
	"configs": object.union_n([static, taken, _implied_configs(kind, static, taken)]),
	"accepted": taken,
	"ignored": object.union(own, refused),
}]) if {
	own := {key: problem | some key, text in dynamic; problem := _key_or_value_problem(kind, key, text)}
	usable := {key: stored_form(key, text) | some key, text in dynamic; not own[key]}
	refused := {key: reason | reason := contradiction(kind, static, usable); some key, _ in usable}
	taken := object.remove(usable, object.keys(refused))
}

default _revision_field := {}

_revision_field := {"revision": data.catalog.bundle.revision}

# Why a key is not taken, whatever the static configs are.
_key_or_value_problem(kind, key, text) := problem if {
	problem := key_problem(key)
} else := $"{key} is not a config of a {kind}" if {
	not kind in data.catalog.clients.configs[key].of
} else := value_problem(key, text)

_idempotence_notes("producer", static, taken) := {"notes": {"enable.idempotence": message}} if {
	_implied_configs("producer", static, taken) != {}
	message := concat("", [
		$"acks={taken.acks} turns idempotence off: it is on by default only, nothing demands it, ",
		"and it needs acks=all",
	])
} else := {}

_idempotence_notes("consumer", _, _) := {}

# Idempotence that is on by default goes where acks are not all.
_implied_configs("producer", static, taken) := {"enable.idempotence": "false"} if {
	taken.acks != "-1"
	not static["enable.idempotence"]
	stored_form("acks", object.get(static, "acks", "all")) == "-1"
	_typed_value_or_default("producer", static, "retries") != 0
} else := {}

_implied_configs("consumer", _, _) := {}

# A static config's typed value, or Kafka's own default.
_typed_value_or_default(kind, given, key) := configs.value_of_type(row.type, object.get(given, key, row.default)) if {
	row := data.catalog.clients.static[kind][key]
}

_accepted_input_problems(document) := {"the input is not a JSON object: send kind, static and dynamic"} if {
	not is_object(document)
} else := union({
	{message |
		some field in (object.keys(document) - {"kind", "static", "dynamic"})
		message := $"{field}: unknown field: use kind, static and dynamic"
	},
	{message |
		not object.get(document, "kind", null) in {"producer", "consumer"}
		message := $"kind: {json.marshal(object.get(document, "kind", null))} is not producer or consumer"
	},
	{$"{field}: not an object of config names to strings" |
		some field in ["static", "dynamic"]
		not is_object(object.get(document, field, {}))
	},
	{$"{field}.{key}: {json.marshal(text)} is not a string" |
		some field in ["static", "dynamic"]
		some key, text in document[field]
		not is_string(text)
	},
})
