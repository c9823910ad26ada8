package kafka.engine

import data.kafka.base.settings

# METADATA
# description: |
#   The rules that a decision about a document of which something is not known yet (`unknown`) does not evaluate, each
#   with what of that it reads: those that any of it could break, or keep from being broken. What only the words or the
#   patch of a rule read may be missing.
_unevaluated_rows(document) := _unevaluated_rules(
	document.cluster,
	object.get(document, "enforcementPoint", ""),
	document.operation,
	document.unknown,
)

# METADATA
# description: |
#   What an evaluation of a document says, [violations, proposals], without what rules say that are not evaluated. Where
#   anything is not known, nothing is proposed.
# scope: document
_known_evaluation(evaluation, document) := evaluation if not document.unknown

_known_evaluation([violations, _], document) := [known, set()] if {
	left_out := {row.rule | some row in _unevaluated_rows(document)}
	known := {violation | some violation in violations; not violation.rule in left_out}
}

_unevaluated_part(document, rows) := {"notEvaluated": rows} if document.unknown

_unevaluated_part(document, _) := {} if not document.unknown

_shared_values_without(rows, document) := object.union(shared, {"doubt": doubt}) if {
	shared := _shared_values(document)
	doubt := _joint_doubt(_unevaluated_rules_doubt(document, rows), shared.doubt)
}

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
	object.get(modes, [id, "mode"], "disabled") != "disabled"
	purposes := {purpose |
		some purpose, of in evaluated_operations(id, data.catalog.rules[id])
		operation in of
	}
	pointers := [pointer |
		some pointer in unknown
		some purpose in purposes
		_is_reader_of(id, purpose, operation, _pointer_tokens(pointer))
	]
	pointers != []
] if {
	modes := settings.modes(cluster, enforcement_point)
}

_pointer_tokens(pointer) := [replace(replace(piece, "~1", "/"), "~0", "~") |
	some i, piece in split(pointer, "/")
	i > 0
]
