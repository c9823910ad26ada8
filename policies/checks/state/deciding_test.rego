package checks.state_test

import data.checks.state

_deciding(source, others) := answer if {
	file := "kafka/rules/one/a.rego"
	modules := object.union(others, {file: concat("\n\n", ["package kafka.rules.one", source])})
	answer := state.deciding with input as {"modules": modules, "rules": {"A": file}}
}

_rule(order, args, more) := concat("\n", [
	order,
	$"deny contains violation.new(rego.metadata.rule(), {args}, [], patch) if \{",
	"\tactual := input.requested.numPartitions",
	"\tpatch := [{\"op\": \"replace\", \"value\": actual}]",
	$"\t{more}",
	"}",
	`_offer(limit) := "a" if cluster.part(input, "clusterSize") > limit`,
	`else := ""`,
	`_known := cluster.part(input, "clusterSize")`,
	"default _size := 0",
	`_size := cluster.part(input, "clusterSize")`,
])

# What only fills words, and cannot be undefined, changes no decision.
test_words[note] if {
	some note, tc in {
		"in the head": {"rule": _rule("", `{"actual": actual, "offer": _offer(actual)}`, "true")},
		"in the body": {"rule": _rule("", "args", `args := {"actual": actual, "offer": _offer(actual)}`)},
		"of a variable": {"rule": _rule("", `{"offer": offer}`, "offer := _offer(actual)")},
		"a case": {"rule": _rule("", `{"case": _offer(actual)}`, "true")},
		"with a default": {"rule": _rule("", `{"offer": _size}`, "true")},
		"in a list": {"rule": _rule("", `{"offer": [_size, actual]}`, "true")},
		"in a template": {"rule": _rule("", `{"offer": $"{_known}"}`, "true")},
		"in a comprehension": {"rule": _rule("", `{"offer": [size | size := _known]}`, "true")},
		"ordered by others": {"rule": _rule("#   order: {of: a, from: b}", `{"a": actual, "offer": _size}`, "true")},
		"within a call": {"rule": _rule("", `{"offer": sprintf("%d", [_size])}`, "true")},
	}
	_deciding(tc.rule, {}) == {"rules": {"A": ["defaults"]}, "inputs": {}}
}

test_no_words[note] if {
	some note, tc in {
		"may be undefined": {"rule": _rule("", `{"offer": _known}`, "true")},
		"a condition": {"rule": _rule("", `{"offer": _size}`, "_size > 3")},
		"a variable that is a condition too": {"rule": _rule("", `{"offer": offer}`, "offer := _size; offer > 3")},
		"of the order": {"rule": _rule("#   order: {of: offer, from: limit}", `{"offer": _size}`, "true")},
		"of another call": {"rule": _rule("", `{"offer": to_number(_size)}`, "true")},
		"another constructor": {"rule": `deny contains {"a": _size} if true
default _size := 0
_size := cluster.part(input, "clusterSize")`},
		"no rule that denies": {"rule": `x contains violation.new(1, {"a": _size}, [], []) if true
default _size := 0
_size := cluster.part(input, "clusterSize")`},
	}
	_deciding(tc.rule, {}) == {"rules": {}, "inputs": {}}
}

test_what_words_read_of_the_input if {
	rule := `deny contains violation.new(rego.metadata.rule(), {"owner": _owner}, [], []) if input.topic == "a"
default _owner := "nobody"
_owner := input.labels.owner`
	_deciding(rule, {}) == {"rules": {"A": []}, "inputs": {"A": [["topic"]]}}
}

# What another file of the family uses is of it, and what the rule uses of another file too.
test_of_a_family if {
	rule := `deny contains violation.new(rego.metadata.rule(), {"a": _size, "b": _words}, [], []) if _many
default _size := 0
_size := cluster.part(input, "clusterSize")
default _words := 0
_words := cluster.part(input, "writes")`
	others := {"kafka/rules/one/many.rego": `package kafka.rules.one
_many if cluster.part(input, "totals") > _size`}
	_deciding(rule, others) == {"rules": {"A": ["clusterSize", "totals"]}, "inputs": {}}
}
