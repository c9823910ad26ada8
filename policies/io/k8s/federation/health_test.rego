package io.k8s.federation_test

import data.io.k8s.federation

_bindings(kind, name, rows) := {"resourcebindings": {"default": {"nginx-eu-replicaset": {
	"spec": {"resource": {"kind": kind, "name": name}},
	"status": {"aggregatedStatus": rows},
}}}}

_bindings_status := [
	{"clusterName": "gce-us-east1", "status": {"readyReplicas": 2}},
	{"clusterName": "gce-europe-west1", "status": {"replicas": 1}},
	{"clusterName": "gce-europe-west2", "status": {"readyReplicas": "1"}},
	{"clusterName": "gce-europe-west2"},
]

_long := concat("", ["x" | some i in numbers.range(1, 60)])

test_ready_replicas[note] if {
	some note, tc in {
		"as Karmada says": {
			"kubernetes": _bindings("ReplicaSet", "nginx-eu", _bindings_status),
			"ready": {"gce-us-east1": 2, "gce-europe-west1": 0, "gce-europe-west2": 0},
		},
		"of another kind": {"kubernetes": _bindings("Job", "nginx-eu", _bindings_status), "ready": {}},
		"no binding": {"kubernetes": {}, "ready": {}},
		"as KubeFleet says": {
			"kubernetes": {"resourceplacements": {"default": {"nginx-eu-replicaset": {"status": {"placementStatuses": [
				{"clusterName": "gce-us-east1", "conditions": [
					{"type": "Applied", "status": "True"},
					{"type": "Available", "status": "True"},
				]},
				{"clusterName": "gce-europe-west1", "conditions": [{"type": "Available", "status": "False"}]},
				{"conditions": []},
			]}}}}},
			"ready": {"gce-us-east1": 1, "gce-europe-west1": 0},
		},
	}
	tc.ready == federation.ready_replicas(_object({}, {})) with data.kubernetes as tc.kubernetes
}

# In the words of the kind's own status.
test_ready_replicas_by_kind[note] if {
	some note, tc in {
		"a DaemonSet": {"status": {"numberReady": 5, "desiredNumberScheduled": 6}, "ready": 5},
		"a Job": {"status": {"active": 3, "ready": 2}, "ready": 3},
		"a CronJob": {"status": {"active": [{"name": "a"}]}, "ready": 0},
	}
	rows := [{"clusterName": "gce-us-east1", "status": tc.status}]
	ready := federation.ready_replicas(_object({}, {})) with data.kubernetes as _bindings("ReplicaSet", "nginx-eu", rows)
	{"gce-us-east1": tc.ready} == ready
}

test_a_long_name_in_kubefleet if {
	thing := object.union(_object(_demands, {}), {"metadata": {"name": _long}})
	name := _carry("kubefleet", thing).manifest.metadata.name
	statuses := [{"clusterName": "gce-us-east1", "conditions": [{"type": "Available", "status": "True"}]}]
	placement := {"status": {"placementStatuses": statuses}}
	kubernetes := {"resourceplacements": {"default": {name: placement}}}
	federation.ready_replicas(thing) == {"gce-us-east1": 1} with data.kubernetes as kubernetes
}

test_not_off_the_only_cluster_that_the_target_calls_up if {
	answer := federation.remediation with input as {"object": _moving}
		with data.kubernetes as object.union(_kubernetes, _bindings("ReplicaSet", "nginx-eu", _bindings_status))
		with data.site.placement as {}
		with data.settings.compiled as _settings({})
	answer.errors == ["KFK-PLC-002: gce-us-east1 is the only cluster where it is up, and would be left"]
}
