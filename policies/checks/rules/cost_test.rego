package checks.rules_test

_scan := "all topics of a cluster are looked at: look one up by its name, or keep a total"

_helper(body) := _with_source(concat("\n", [_source, body]))

test_numbers[body] if {
	some body, found in {
		"_x := 0": [],
		"_x := -1": [],
		"_x := 1": [],
		"_x := 2": [2],
		"_x := -2": [-2],
		"_x := 0.5": [0.5],
		"_x := \"86400000\"": [],
		"_is_f(x) if x < 249": [249],
		"_f(3) := true": [3],
		"_x := 1 if { input.params } else := 9": [9],
		"_x := [y | y := {\"a\": 5}]": [5],
		"_x := $\"{input.params + 7}\"": [7],
	}
	_messages(_helper(body)) == {$"the number {number} stands in a rule: make it a parameter" | some number in found}
}

test_scans[body] if {
	some body, found in {
		# looked up
		"_x := data.clusters[input.cluster].topics[input.cluster]": set(),
		"_x := input.clusterState.topics[input.cluster].configs": set(),
		"_f(name) := data.clusters[input.cluster].topics[name]": set(),
		"_x := data.clusters[input.cluster].totals.topics": set(),
		"_x := input.clusterState.totals.topics": set(),
		"_x := data.settings.topics": set(),
		"_is_x if not data.clusters.prod.topics": set(),
		"_is_x if data.clusters.prod.topics": set(),
		"_x := data.catalog.topics[_]": set(),
		# looked at, all of them
		"_is_x if some t in data.clusters[input.cluster].topics": {_scan},
		"_is_x if some name, t in data.clusters.prod.topics": {_scan},
		"_is_x if input.clusterState.topics[_].internal": {_scan},
		"_is_x if input.clusterState.topics[_]": {_scan},
		"_is_x if not data.clusters.prod.topics == {}": {_scan},
		"_is_x if every t in input.clusterState.topics { t }": {_scan},
		"_x := count(data.clusters[input.cluster].topics)": {_scan},
		"_x := object.keys(input.clusterState.topics)": {_scan},
		"_x := [t | some t in data.clusters[_].topics]": {_scan},
		"_f(document) := count(document.clusterState.topics)": {_scan},
	}
	found == _messages(_helper(body))
}

test_scans_are_looked_for_in_the_engine_too[note] if {
	some note, tc in {
		"engine": {"file": "kafka/cluster/cluster.rego", "package": "kafka.cluster", "n": 1},
		"checks": {"file": "checks/cluster/cluster.rego", "package": "checks.cluster", "n": 0},
		"test": {"file": "kafka/cluster/cluster_test.rego", "package": "kafka.cluster_test", "n": 0},
	}
	source := sprintf("package %s\n\n_x := count(data.clusters.a.topics)", [tc["package"]])
	messages := _messages(object.union(_good, {"modules": {tc.file: rego.parse_module(tc.file, source)}}))
	tc.n == count(messages & {_scan})
}
