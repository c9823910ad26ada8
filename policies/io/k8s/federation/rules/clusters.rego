# METADATA
# title: Placement rules
# description: What must hold of the clusters on which an object is placed, whatever its policy is.
package io.k8s.federation.rules

import data.kafka.violation

# METADATA
# title: Objects run where they may, and somewhere
# description: |
#   An object goes to clusters that meet its demands and its residency. An empty set of clusters means that nothing
#   runs, which a scheduler takes without a word.
# related_resources:
#   - https://github.com/kubernetes/community/blob/be9eeca6ee3becfa5b4c96bedf62b5b3ff5b1f8d/contributors/design-proposals/multicluster/federated-placement-policy.md
# custom:
#   id: KFK-PLC-001
#   severity: high
#   operations: [Admission, Remediation]
#   params:
#     use:
#       type: string
#       enum: [may, must]
#       description: Whether the clusters that policy allows may be used (of those that are requested) or must be used.
#     carriedKinds:
#       type: array
#       items: {type: string}
#       description: Kinds without an annotation that may have demands all the same, since the remediator keeps
#         in a target where they run; "*" for every kind. With none the remediator keeps nothing in a target.
#     allowedByLabel:
#       type: object
#       description: By label of an object and its value, the regions that its clusters
#         may lie in; * matches any characters.
#       additionalProperties: {type: object, additionalProperties: {type: array, items: {type: string, format: glob}}}
#   messages:
#     demands: "no cluster is left for {kind} {name}: {wanted}"
#     residence: "no cluster is left for {kind} {name}: {wanted} is not a residence that the settings know: {known}"
#     site: "no cluster is left for {kind} {name}: the site's rules allow none of those that there are"
#   fix: ask for clusters that policy allows, or change what the object demands
deny contains violation.new(rego.metadata.rule(), args, ["metadata", "annotations"], []) if {
	input.operation in {"Admission", "Remediation"}
	input.params["KFK-PLC-001"]
	input.placed
	input.known
	input.clusters == {}
	some wish in _unmet_wishes
	args := object.union(wish, {"kind": input.object.kind, "name": _full_name})
}

_full_name := concat("/", [part | some part in [input.object.namespace, input.object.name]; part != ""])

default _unmet_wishes := {{"case": "site"}}

# A residence that nobody knows leaves no cluster, whatever is demanded besides.
_unmet_wishes := unknown if {
	unknown := {{"case": "residence", "wanted": _label_text(row), "known": concat(", ", sort(row.known))} |
		some row in input.residency
		not row.value in row.known
	}
	unknown != set()
} else := {{"case": "demands", "wanted": concat("; ", wants)}} if {
	wants := array.concat(input.demanded, [_residence_text(row) | some row in input.residency])
	wants != []
}

_residence_text(row) := $"{_label_text(row)} (regions {concat(", ", row.patterns)})"

_label_text(row) := $"{row.label}={row.value}"
