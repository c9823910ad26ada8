package kafka

import data.system.authz

# METADATA
# title: What is stated and not believed
# description: |
#   For a service that asks with a token of its own for callers who are not trusted: `refused` has those of `items`
#   whose decision input states what OPA itself would not believe of an untrusted caller with this `principal` and
#   `enforcementPoint`, each with what to write.
# entrypoint: true
statements := {"refused": refused} if {
	is_object(input.items)
	caller := {"principal": input.principal, "enforcementPoint": input.enforcementPoint}
	refused := {key: sentence | some key, document in input.items; sentence := authz.problem(caller, document)}
}
