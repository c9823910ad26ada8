package io.k8s.federation.rules

import data.kafka.violation

# METADATA
# title: No placement without facts
# description: |
#   Where no cluster is known, as after a restart of the policy engine, or the engine cannot be reached at all, an
#   object is not placed by default. Callers try again as often as `attempts` says and then do what `onError` says.
#   Nor is it where policies of ConfigMaps are expected and none are loaded, or where there are some about the object
#   and no text of any has ever compiled.
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
#   messages:
#     clusters: no cluster is replicated, so that nothing is known of where {kind} {name} may run
#     broken: "no text of a policy about it has ever compiled: {names}"
#     none: no policies of ConfigMaps are loaded
#   fixes:
#     clusters: replicate the cluster objects to data.kubernetes, and ask again
#     broken: look at the status of the ConfigMaps and at the replicator, and ask again
#     none: look at the status of the ConfigMaps and at the replicator, and ask again
deny contains violation.new(rego.metadata.rule(), args, ["metadata", "annotations"], []) if {
	input.operation in {"Admission", "Remediation"}
	params := input.params["KFK-PLC-003"]
	some case in (_missing_cluster_cases | _missing_policy_cases(input.policies, params))
	names := concat(", ", sort(object.get(input.policies, "names", [])))
	args := {"case": case, "kind": input.object.kind, "name": _full_name, "names": names}
}

_missing_cluster_cases contains "clusters" if {
	input.placed
	not input.known
}

_missing_policy_cases({"state": "whole"}, _) := set()

_missing_policy_cases({"state": "broken", "names": _}, _) := {"broken"}

_missing_policy_cases({"state": "none"}, params) := {"none" | _are_policies_expected(params)}

_are_policies_expected(params) if params.policiesFrom == "configMaps"

# An OPA that fetches them has them from its last start on, or is not to decide.
_are_policies_expected(_) if opa.runtime().config.bundles.configmaps
