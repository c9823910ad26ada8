package checks.rules_test

_carries(fields) := $"an audit of a topic's configs does not carry input.{fields}: {_advice}"

_advice := "let the rule be about another operation, or extend the part"

_given_away := $"all of the input of an audit is given away: {_advice}"

test_parts[body] if {
	some body, messages in {
		"_x := input.effective.values": set(),
		"_x := input.labels.tier": set(),
		"_x := input.requested.configs": set(),
		"_x := input.current.values[\"a\"]": set(),
		"_x := input.requested.replicasAssignments": {_carries("requested.replicasAssignments")},
		"_x := input.current.labels": {_carries("current.labels")},
		"_x := input.topic": {_carries("topic")},
		"_x := input.request.topic": {_carries("request.topic")},
		"_x := input.principal": {_carries("principal")},
		"_x := cluster.part(input, \"brokers\")": set(),
		"_is_x if y := cluster.part(input, \"brokers\")": set(),
		"_x := cluster.broker_default(input, \"num.partitions\")": set(),
		"_x := object.get(input, [\"clusterState\", \"brokers\"], 0)": set(),
		"_x := object.get(input, [\"request\", \"topic\"], 0)": {_given_away},
		"_x := cluster.topic(input, \"a\")": {_given_away},
		"_x := y.part(input, 1)": {_given_away},
		"_x := input": {_given_away},
	}
	messages == _messages(_helper(body))
}

test_a_rule_that_names_the_topic_says_so[note] if {
	some note, tc in {
		"always": {"named": "always", "wrong": set()},
		"with a config": {"named": ["flush.ms"], "wrong": set()},
		"no config": {"named": [], "wrong": {"metadata"}},
		"now and then": {"named": "sometimes", "wrong": {"metadata"}},
	}
	document := _with_annotations([{"op": "add", "path": "/custom/named", "value": tc.named}])
	messages := _messages(object.union(document, {"modules": _helper("_x := input.topic").modules}))
	tc.wrong == {"metadata" | some message in messages; startswith(message, "METADATA, custom.named")}
	not _carries("topic") in messages
}

_naming := "kafka/rules/naming/copies.rego"

_candidates_none := "no rule `candidates` says which of many names (input.topics) `deny` has something against"

test_a_rule_about_names_has_candidates[note] if {
	some note, tc in {
		"it does": {"more": "candidates := input.topics", "operation": "AuditTopic", "missing": set()},
		"it does not": {"more": "", "operation": "AuditTopic", "missing": {_candidates_none}},
		"what it has is its own": {"more": "_candidates := {2}", "operation": "AuditTopic", "missing": {_candidates_none}},
		"it is not about audits": {"more": "", "operation": "AlterTopic", "missing": set()},
	}
	source := concat("\n", ["package kafka.rules.naming", "deny contains 1 if input.operation == \"AuditTopic\"", tc.more])
	annotations := json.patch(_annotations, [{"op": "replace", "path": "/custom/operations", "value": [tc.operation]}])
	document := object.union(_good, {
		"modules": {_naming: _module(_naming, source)},
		"annotations": array.concat(_good.annotations, [_entry(_naming, 3, annotations)]),
	})
	messages := _messages(document)
	missing := messages & {_candidates_none}
	missing == tc.missing
	not _is_public in messages
}

_is_public := "candidates is public: only `deny` and `annotate` are, begin it with an underscore"
