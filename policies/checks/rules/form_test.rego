package checks.rules_test

_replaced(old, new) := _with_source(replace(_source, old, new))

test_form[note] if {
	some note, tc in {
		"no deny": {
			"document": _replaced("deny contains", "_deny contains"),
			"messages": {"a rule's file has one rule `deny` or `annotate`, not 0"},
		},
		"two denies": {
			"document": _with_source(concat("\n", [
				_source,
				"deny contains 0 if input.operation in {\"CreateTopic\", \"AuditTopic\"}",
			])),
			"messages": {
				"a rule's file has one rule `deny` or `annotate`, not 2",
				"`deny` has no METADATA with an id of its own",
			},
		},
		"another public rule": {
			"document": _replaced("_least", "least"),
			"messages": {
				"least is public: only `deny` and `annotate` are, begin it with an underscore",
				"least is public and has no METADATA",
			},
		},
		"no METADATA": {
			"document": object.union(_good, {"annotations": [_package_entry, _router_entry], "settings": {"rules": {}}}),
			"messages": {
				"`deny` has no METADATA with an id of its own",
				"deny is public and has no METADATA",
				"KFK-DUR-009 is a rule that no file holds",
			},
		},
		"METADATA of another line": {
			"document": object.union(_good, {"annotations": [_package_entry, _router_entry, _entry(_file, 4, _annotations)]}),
			"messages": {"`deny` has no METADATA with an id of its own"},
		},
		"package without METADATA": {
			"document": object.union(_good, {"annotations": [_router_entry, _entry(_file, 3, _annotations)]}),
			"messages": {"package data.kafka.rules.durability has no METADATA"},
		},
		"the operation comes second": {
			"document": _replaced("\tinput.operation in", "\tinput.params\n\tinput.operation in"),
			"messages": {"the first statement is not about input.operation"},
		},
		"one operation, compared": {
			"document": _replaced("input.operation in {\"CreateTopic\", \"AuditTopic\"}", "input.operation == \"CreateTopic\""),
			"messages": {"the METADATA names other operations than the first statement: CreateTopic"},
		},
		"package of another directory": {
			"document": _replaced("package kafka.rules.durability", "package kafka.rules.sizing"),
			"messages": {
				"package kafka.rules.sizing does not lie in its own directory",
				"package data.kafka.rules.sizing has no METADATA",
				"deny is public and has no METADATA",
			},
		},
	}
	tc.messages == _messages(tc.document)
}

_missing_metadata := "the file has no METADATA: say above its first rule what it holds"

# What is not a rule of the library has only to be described and to lie where it says.
test_form_of_other_files[note] if {
	some note, tc in {
		"well": {"file": "kafka/lists/lists.rego", "source": "package kafka.lists\n\n_f(x) := 7", "messages": {
			"package data.kafka.lists has no METADATA", _missing_metadata,
		}},
		"public": {"file": "kafka/lists/lists.rego", "source": "package kafka.lists\n\nstored := 7", "messages": {
			"package data.kafka.lists has no METADATA", _missing_metadata,
			"stored is public and has no METADATA",
		}},
		"a test": {
			"file": "kafka/model/topics/topics_test.rego",
			"source": "package kafka.model.topics_test\n\nx := 7",
			"messages": set(),
		},
		"a test at the top": {
			"file": "kafka/decision_test.rego",
			"source": "package kafka_test\n\nx := 7",
			"messages": set(),
		},
		"a test in the package itself": {
			"file": "kafka/model/topics/topics_test.rego",
			"source": "package kafka.model.topics\n\nx := 7",
			"messages": {"package kafka.model.topics does not lie in its own directory"},
		},
		"a proposal": {
			"file": "kafka/rules/durability/propose.rego",
			"source": "package kafka.rules.durability\n\nannotate contains {} if input.operation == \"CreateTopic\"",
			"messages": {
				"annotate is public and has no METADATA", _missing_metadata,
				"family durability is not evaluated: kafka/rules lacks durability.annotate",
			},
		},
		"a proposal whatever the operation": {
			"file": "kafka/rules/durability/propose.rego",
			"source": "package kafka.rules.durability\n\nannotate contains {} if input.params",
			"messages": {
				"annotate is public and has no METADATA", _missing_metadata,
				"family durability is not evaluated: kafka/rules lacks durability.annotate",
				"the first statement is not about input.operation",
			},
		},
		"what the rules of a family share": {
			"file": "kafka/rules/durability/durability.rego",
			"source": "package kafka.rules.durability\n\n_live := 1",
			"messages": {_missing_metadata},
		},
		"a patch that is not escaped": {
			"file": "kafka/rules/durability/durability.rego",
			"source": "package kafka.rules.durability\n\n_patch(name) := [{\"op\": \"remove\", \"path\": $\"/configs/{name}\"}]",
			"messages": {_missing_metadata, "write the patch with violation.addition or violation.removal"},
		},
		"a patch of one name": {
			"file": "kafka/rules/durability/durability.rego",
			"source": "package kafka.rules.durability\n\n_patch := {\"path\": \"/configs/flush.ms\"}",
			"messages": {_missing_metadata, "write the patch with violation.addition or violation.removal"},
		},
		"a patch of what is no config": {
			"file": "kafka/rules/durability/durability.rego",
			"source": "package kafka.rules.durability\n\n_patch := {\"path\": \"/replicationFactor\"}",
			"messages": {_missing_metadata},
		},
		"what rules share under another name": {
			"file": "kafka/rules/durability/shared.rego",
			"source": "package kafka.rules.durability\n\n_live := 1",
			"messages": {_missing_metadata},
		},
		"a test of a rule has its numbers": {
			"file": "kafka/rules/durability/copies_test.rego",
			"source": "package kafka.rules.durability_test\n\nx := 7",
			"messages": set(),
		},
	}
	tc.messages == _messages(object.union(_good, {"modules": {tc.file: rego.parse_module(tc.file, tc.source)}}))
}

test_every_family_is_evaluated[source] if {
	some source, messages in {
		"_all := union({durability.deny, sizing.deny})": set(),
		"_all := union({sizing.deny})": {"family durability is not evaluated: kafka/rules lacks durability.deny"},
		"_all := union({durability.annotate})": {
			"family durability is not evaluated: kafka/rules lacks durability.deny",
		},
		"_all := union({durability.warn})": {"family durability is not evaluated: kafka/rules lacks durability.deny"},
	}
	router := rego.parse_module(_router, concat("\n", ["package kafka.rules\n", source]))
	modules := object.union(object.remove(_good.modules, [_router]), {_router: router})
	messages == _messages(object.union(object.remove(_good, ["modules"]), {"modules": modules}))
}

# A cap says what it counts, and what is no cap counts nothing.
test_charges[note] if {
	some note, tc in {
		"a cap with a charge": {"cap": {"cap": true}, "charge": _charge, "messages": set()},
		"a cap without": {"cap": {"cap": true}, "charge": "", "messages": {_uncharged}},
		"no cap, without": {"cap": {}, "charge": "", "messages": set()},
		"no cap with a charge": {"cap": {}, "charge": _charge, "messages": {_uncharged}},
		"a charge whatever the operation": {
			"cap": {"cap": true},
			"charge": `charge contains [[], 1] if input.params`,
			"messages": {"the first statement is not about input.operation"},
		},
	}
	annotations := object.union(_annotations, {"custom": tc.cap})
	document := object.union(_with_source(concat("\n", [_source, tc.charge])), {"annotations": [
		_package_entry, _router_entry, _entry(_file, 3, annotations), _charge_entry,
	]})
	router := rego.parse_module(_router, "package kafka.rules\n\n_all := durability.deny | durability.charge")
	tc.messages == _messages(object.union(document, {"modules": {_router: router}}))
}

test_a_charge_that_is_not_collected if {
	annotations := object.union(_annotations, {"custom": {"cap": true}})
	document := object.union(_with_source(concat("\n", [_source, _charge])), {"annotations": [
		_package_entry, _router_entry, _entry(_file, 3, annotations), _charge_entry,
	]})
	{"family durability is not evaluated: kafka/rules lacks durability.charge"} == _messages(document)
}

_charge := `charge contains [[], 1] if input.operation == "CreateTopic"`

_charge_entry := object.union(
	_entry(_file, 21, {"scope": "document", "description": "What it adds."}),
	{"path": _path(["data", "kafka", "rules", "durability", "charge"])},
)

_uncharged := "a rule has `cap: true` where its file has `charge`, which says what an allowed item adds, and only there"
