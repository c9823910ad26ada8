# A policy that knows three verdicts, a conflict and an undefined one: enough to try the door.
package kafka

decision := _decision(input)

decisions[key] := verdict if {
	some key, item in input.items
	verdict := _decision(object.union(object.get(input, "common", {}), item))
}

lists.check := input

_decision(document) := {"allowed": document.say == "yes", "errors": [], "cluster": object.get(document, "cluster", null)} if {
	document.say in {"yes", "no"}
}

_decision(document) := {"allowed": true} if document.say == "conflict"

_decision(document) := {"allowed": false} if document.say == "conflict"
