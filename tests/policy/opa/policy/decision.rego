# A policy with three decisions, a conflict and an undefined one: enough to try a client.
package kafka

decision := _decision(input)

decisions[key] := decided if {
	some key, item in input.items
	decided := _decision(object.union(object.get(input, "common", {}), item))
}

lists["check"] := input

_decision(document) := object.union(_said[document.say], {
	"violations": [],
	"cluster": object.get(document, "cluster", null),
})

_said := {
	"yes": {"allowed": true, "errors": [], "error": null},
	"no": {"allowed": false, "errors": ["no"], "error": {"code": 44, "name": "POLICY_VIOLATION", "message": "no"}},
}

_decision(document) := {"allowed": true} if document.say == "conflict"

_decision(document) := {"allowed": false} if document.say == "conflict"
