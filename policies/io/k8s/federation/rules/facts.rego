package io.k8s.federation.rules

import data.kafka.violation

# METADATA
# title: No placement without facts
# description: |
#   Where no cluster is known, as after a restart of the policy engine, or the engine cannot be reached at all, an
#   object is not placed by default. Callers try again as often as `attempts` says and then do what `onError` says.
# custom:
#   id: KFK-PLC-003
#   severity: critical
#   operations: [Admission, Remediation]
#   params:
#     attempts: {type: integer, minimum: 1, description: How often a caller tries the policy engine before it gives up.}
#     onError: {type: string, enum: [fail, ignore], description: What a caller then does with the request.}
#   message: no cluster is replicated, so that nothing is known of where {kind} {name} may run
#   fix: replicate the cluster objects to data.kubernetes, and ask again
deny contains violation.new(rego.metadata.rule(), args, ["metadata", "annotations"], []) if {
	input.operation in {"Admission", "Remediation"}
	input.params["KFK-PLC-003"]
	input.placed
	not input.known
	args := {"kind": input.object.kind, "name": _full_name}
}
