package kafka

import data.system.authz

# METADATA
# title: What is stated and not believed
# description: |
#   For a service that asks with a token of its own for callers who are not trusted: `refused` has those of `items`
#   whose decision input states what OPA itself would not believe of an untrusted caller with this `principal` and
#   `enforcementPoint`, each with what to write. Where the input cannot be read there are `errors` alone, so that nobody
#   takes it for one that states nothing.
# entrypoint: true
statements := {"errors": sort(_statements_problems)} if {
	_statements_problems != set()
} else := {"refused": refused} if {
	caller := {"principal": input.principal, "enforcementPoint": input.enforcementPoint}
	refused := {key: sentence | some key, document in input.items; sentence := authz.problem(caller, document)}
}

_statements_problems contains "the input is not a JSON object: send {principal, enforcementPoint, items}" if {
	not _is_input_object
}

_statements_problems contains $"{field}: missing: send what this caller has, or null" if {
	is_object(input)
	some field in ["enforcementPoint", "principal"]
	not field in object.keys(input)
}

_statements_problems contains "items: not an object of key to decision input" if {
	is_object(input)
	not is_object(object.get(input, "items", null))
}

_is_input_object if is_object(input)
