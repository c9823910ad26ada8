package kafka.engine

import data.kafka.base.request
import data.kafka.base.settings
import data.kafka.operations
import data.kafka.rules

# METADATA
# description: |
#   The decision about a document of which something is not known yet (`unknown`): a rule that any of that could break,
#   or keep from being broken, is not evaluated, and is listed with what it reads. What only its words or its patch read
#   may be missing. Nothing is proposed.
_partial_decision(own, document) := object.union(
	_final_decision(shared, _subject_refusals(subject, document), [violations, set()], document),
	{"notEvaluated": left_out},
) if {
	request.is_well_formed(own, document)
	subject := operations[document.operation].subject
	enforcement_point := object.get(document, "enforcementPoint", "")
	left_out := _unevaluated_rules(document.cluster, enforcement_point, document.operation, document.unknown)
	common := _shared_values(document)
	shared := object.union(common, {"doubt": _joint_doubt(_unevaluated_rules_doubt(document, left_out), common.doubt)})
	ids := {row.rule | some row in left_out}
	found := rules.violations with input as _rule_input(subject, shared, object.remove(document, ["unknown"]))
	violations := {violation | some violation in found; not violation.rule in ids}
} else := invalid_input(problems) if {
	problems := request.errors(document)
} else := object.union(decision, {"notEvaluated": []}) if {
	refusals := _subject_refusals(operations[document.operation].subject, document)
	refusals != set()
	decision := _final_decision(_shared_values(document), refusals, [set(), set()], document)
} else := invalid_input({_incomplete_state_text})

# METADATA
# description: |
#   What speaks against carrying out a request some of whose rules were not evaluated: null where nothing does. Where a
#   change is only foreseen, they are evaluated once it comes; whoever carries it out has no later time.
_unevaluated_rules_doubt(document, left_out) := {"then": action, "line": line} if {
	document.enforcementPoint in _executing_enforcement_points
	left_out != []
	action := _action_when_unknown(settings.freshness(document.cluster, document.enforcementPoint, document.operation))
	action != "ignore"
	ids := concat(", ", [row.rule | some row in left_out])
	fields := concat(", ", {pointer | some row in left_out; some pointer in row.unknown})
	line := $"unknown: {fields}, which {ids} would read: {_unevaluated_rules_advice_by_action[action]}"
} else := null

_executing_enforcement_points := {"broker", "gateway"}

_unevaluated_rules_advice_by_action := {
	"deny": "say it in the request, or make what it follows from known first",
	"warn": "this was decided without",
}

# Of what documents of a batch have in common alone, so that OPA evaluates it once for all of them.
_unevaluated_rules(cluster, enforcement_point, operation, unknown) := [{"rule": id, "unknown": pointers} |
	some id in sort(object.keys(data.catalog.rules))
	operation in data.catalog.rules[id].operations
	object.get(modes, [id, "mode"], "disabled") != "disabled"
	pointers := [pointer | some pointer in unknown; _is_reader_of(id, _pointer_tokens(pointer))]
	pointers != []
] if {
	modes := settings.modes(cluster, enforcement_point)
}

_pointer_tokens(pointer) := [replace(replace(piece, "~1", "/"), "~0", "~") |
	some i, piece in split(pointer, "/")
	i > 0
]

_is_reader_of(id, pieces) if {
	pieces[0] == "clusterState"
	pieces[1] in object.get(data.catalog.state, ["deciding", "rules", id], data.catalog.state.rules[id])
}

_is_reader_of(id, pieces) if {
	pieces[0] == "request"
	some read in object.get(data.catalog.state, ["deciding", "inputs", id], data.catalog.state.inputs[id])
	some place in _input_paths(array.slice(pieces, 1, count(pieces)))
	shorter := min([count(read), count(place)])
	array.slice(read, 0, shorter) == array.slice(place, 0, shorter)
}

# Where rules find a field of the request in what they see.
_input_paths(field) := {array.concat(["request"], field), field} | _topic_input_paths(field)

_topic_input_paths(field) := {["change"], array.concat(["requested", "requestedConfigs"], rest)} | {path |
	some holder in ["requested", "effective"]
	some of in ["configs", "values"]
	path := array.concat([holder, of], rest)
} if {
	field[0] == "configs"
	rest := array.slice(field, 1, count(field))
}

_topic_input_paths(field) := {array.concat(["requested"], field)} if field[0] != "configs"
