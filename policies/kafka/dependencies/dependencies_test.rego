package kafka.dependencies_test

import data.kafka.dependencies

_no_reads := {
	"state": [],
	"clusters": [],
	"topic": false,
	"clock": false,
	"data": [],
	"unstable": [],
	"unknown": [],
}

# Sentences are counted, not compared.
_counted_reads(lines) := object.union(found, {kind: count(found[kind]) | some kind in ["unstable", "unknown"]}) if {
	source := concat("\n\n", array.concat(["package site.rules.a"], lines))
	found := dependencies.found with input as {"modules": {"a.rego": source}}
}

test_what_is_read[line] if {
	some line, read in {
		"a if input.topic == 1": {},
		"a if input.current.configs[x]": {},
		"a if input.clusterState.totals.topics > 1": {"state": ["totals"]},
		`a if input["clusterState"]["totals"]`: {"state": ["totals"]},
		`a := object.get(input, ["clusterState", "totals", x], 0)`: {"state": ["totals"]},
		`a := object.get(input.clusterState, "totals", 0)`: {"state": ["totals"]},
		`a := object.get(input, "topic", 0)`: {},
		"a if some x, y in input.clusterState.brokers": {"state": ["brokers"]},
		"a if every x in input.clusterState.brokers { x == 1 }": {"state": ["brokers"]},
		"a := $\"{input.clusterState.totals}\"": {"state": ["totals"]},
		"a if input.clusterState.topics[input.topic]": {},
		"a if input.clusterState.topics[input.request.topic].labels": {},
		"a if input.clusterState.topics.other": {"state": ["topics"]},
		"a := count(input.clusterState.topics)": {"state": ["topics"]},
		"a if data.clusters[b].topics[input.topic]": {"topic": true},
		"a if data.clusters.b.topics[input.topic].labels.owner": {"topic": true},
		"a if data.clusters.b.topics": {"clusters": ["topics"]},
		"a if data.clusters.b.topics[input.labels.x]": {"clusters": ["topics"]},
		"a if data.clusters[input.clusterState.meta.next].totals": {"clusters": ["totals"], "state": ["meta"]},
		`a := data.kafka.cluster.part(input, "totals")`: {"state": ["totals"]},
		`a := data.kafka.cluster.part({"cluster": "b"}, "totals")`: {"clusters": ["totals"]},
		`a := data.kafka.cluster.topic(input, input.topic)`: {},
		`a := data.kafka.cluster.topic(input, "b")`: {"state": ["topics"]},
		`a := data.kafka.cluster.topic(x, input.topic)`: {"topic": true},
		`a := data.kafka.cluster.topics(input, true, true)`: {"state": ["topics"]},
		`a := data.kafka.cluster.has_topics("b")`: {"topic": true},
		`a := data.kafka.cluster.broker_default(input, "x")`: {"state": ["defaults"]},
		`a := data.kafka.violation.new({}, {}, [], [])`: {},
		`a := data.kafka.model.hosts.has_host("10.0.0.0/8", input.acl.host)`: {},
		"a if input.now > 1": {"clock": true},
		"a if data.site.limits.x": {"data": ["site"]},
		"a if data.site[input.topic]": {"data": ["site"]},
		"a if data.teams[b]": {"data": ["teams"]},
		"a if data.catalog.topic.types[b]": {},
		"a if data.settings.compiled": {},
		"a := x.clusterState.totals": {},
		"import data.clusters\n\na if clusters.b.totals": {"clusters": ["totals"]},
		"import input.clusterState.totals as t\n\na if t.topics": {"state": ["totals"]},
		"import input.clusterState.totals\n\na := f(totals)": {"state": ["totals"]},
		"import data.kafka.cluster\n\na := cluster.part(input, \"totals\")": {"state": ["totals"]},
		"a := time.now_ns()": {"unstable": 1},
		"a := 1 + rand.intn(input.topic, 5)": {"unstable": 1},
		"a if io.jwt.decode_verify(input.labels.token, {})[0]": {"unstable": 1},
	}
	object.union_n([_no_reads, {"unstable": 0, "unknown": 0}, read]) == _counted_reads([line])
}

# All of it is sent then, and nothing is remembered.
test_what_cannot_be_found_out[line] if {
	state := {"state": ["*"], "unknown": 1}
	whole_input := object.union(state, {"clock": true})
	clusters := {"clusters": ["*"], "unknown": 1}
	both := object.union_n([whole_input, clusters])
	some line, read in {
		"a if input[x]": whole_input,
		"a if input[input.topic]": whole_input,
		"a if walk(input, [x, y])": whole_input,
		"a := f(input)": whole_input,
		"a if some x, y in input": whole_input,
		"a := [input, 1]": whole_input,
		"a := object.get(input, b, 0)": whole_input,
		"a := object.get(input, [b, c], 0)": whole_input,
		"a := input": whole_input,
		"import input as i\n\na if i[x]": whole_input,
		"import input as i\n\na := f(i)": whole_input,
		"a if input.clusterState[x]": state,
		"a := count(input.clusterState)": state,
		`a := object.get(input, ["clusterState"], 0)`: state,
		"a := data.kafka.cluster.part(input, b)": state,
		"a := data.kafka.cluster.other(input, b)": whole_input,
		"a := data.clusters[b]": clusters,
		"a := count(data.clusters)": clusters,
		"a if data.clusters[b][c]": clusters,
		"import data.clusters as c\n\na := f(c)": clusters,
		"a := data.kafka.cluster.part(b, c)": clusters,
		"a if data[x]": both,
		"a := data": both,
		"a := data.kafka.decision": both,
		"a := data.kafka.configs.values(1, 2)": both,
	}
	object.union_n([_no_reads, {"unstable": 0, "unknown": 0}, read]) == _counted_reads([line])
}

test_of_several_modules if {
	modules := {
		"a": "package a\n\nb if input.clusterState.totals",
		"b": "package b\n\nb if input.clusterState.meta\n\nc if input[x]",
		"c": "package c\n\nthis is not Rego",
	}
	found := dependencies.found with input as {"modules": modules}
	found.state == ["*", "meta", "totals"]
	found.unknown == ["b reads what input.(a variable) does not name", "c is not Rego that this OPA can parse"]
}
