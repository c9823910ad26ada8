package io.k8s.federation.rules

import data.kafka.violation

# METADATA
# title: No placement without facts
# description: |
#   Where no cluster is known, as after a restart of the policy engine, or the engine cannot be reached at all, an
#   object is not placed by default. Callers try again as often as `attempts` says and then do what `onError` says.
#   Nor is it where the policies of ConfigMaps are not all loaded.
# custom:
#   id: KFK-PLC-003
#   severity: critical
#   operations: [Admission, Remediation]
#   params:
#     attempts: {type: integer, minimum: 1, description: How often a caller tries the policy engine before it gives up.}
#     onError: {type: string, enum: [fail, ignore], description: What a caller then does with the request.}
#     policiesFrom:
#       type: string
#       enum: [bundle, configMaps]
#       description: With configMaps nothing is placed until `warden replicate` has loaded policies from there.
#   message: "{problem}"
#   fix: "{remedy}"
deny contains violation.new(rego.metadata.rule(), args, ["metadata", "annotations"], []) if {
	input.operation in {"Admission", "Remediation"}
	params := input.params["KFK-PLC-003"]
	some [problem, remedy] in (_no_clusters | _no_policies(params))
	args := {"problem": problem, "remedy": remedy}
}

_no_clusters contains [problem, "replicate the cluster objects to data.kubernetes, and ask again"] if {
	input.placed
	not input.known
	nothing := "no cluster is replicated, so that nothing is known of where"
	problem := $"{nothing} {input.object.kind} {_full_name} may run"
}

_no_policies(params) := {[problem, "look at the status of the ConfigMaps and at the replicator, and ask again"] |
	some problem in _missing_policies(input.policies, params)
}

_missing_policies("whole", _) := set()

_missing_policies("partial", _) := {"the policies of ConfigMaps are not all loaded"}

_missing_policies("none", params) := {"no policies of ConfigMaps are loaded" | params.policiesFrom == "configMaps"}
