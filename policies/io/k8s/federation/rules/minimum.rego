package io.k8s.federation.rules

import data.kafka.violation

# METADATA
# title: Enough clusters, and never off all that are healthy
# description: |
#   Remediation must not cause the outage that it is there to prevent: neither by leaving fewer clusters than the object
#   needs, nor by leaving every cluster in which it is up. A cluster in which the object gets no replicas, as one of
#   weight 0, counts as none.
# custom:
#   id: KFK-PLC-002
#   severity: high
#   controls: [SOC2 A1.2, ISO27001 A.8.14]
#   operations: [Admission, Remediation]
#   params:
#     minClusters: {type: integer, minimum: 1, description: Least number of clusters on which an object is placed.}
#   messages:
#     few: "only {n} of at least {least} clusters are left{names}"
#     last: "{name} is the only cluster where it is up, and would be left"
#     all: "{names} are the only clusters where it is up, and all of them would be left"
#   fixes:
#     few: allow more clusters, or ask for less
#     last: bring it up on another cluster first, then move it
#     all: bring it up on another cluster first, then move it
deny contains violation.new(rego.metadata.rule(), args, ["metadata", "annotations"], []) if {
	input.operation in {"Admission", "Remediation"}
	params := input.params["KFK-PLC-002"]
	input.placed
	some args in (_few_clusters_args(params) | _last_cluster_args)
}

_few_clusters_args(params) := {{"case": "few", "n": n, "least": params.minClusters, "names": names} |
	n := count(input.clusters)
	n < params.minClusters
	_is_minimum_required(input.operation, n)
	names := trim_suffix($": {concat(", ", sort(object.keys(input.clusters)))}", ": ")
}

# An object that is admitted to no cluster at all is KFK-PLC-001's; one that runs must not be taken down even where that
# only warns.
_is_minimum_required("Remediation", _)

_is_minimum_required("Admission", n) if n > 0

# Only where it is known how many replicas are ready.
_last_cluster_args contains _left_clusters_args(sort(up)) if {
	input.operation == "Remediation"
	up := {name | some name, ready in input.healthy; ready > 0}
	up != set()
	up & object.keys(input.clusters) == set()
}

_left_clusters_args([name]) := {"case": "last", "name": name}

_left_clusters_args(names) := {"case": "all", "names": concat(", ", names)} if count(names) > 1
