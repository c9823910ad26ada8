package kafka.engine_test

import data.kafka.fixtures_test as fixtures

_floor(mode) := {"rules": {"KFK-DUR-003": {"mode": mode, "params": {"min": 2, "requireExplicit": false}}}}

# A new topic that breaks no rule: five copies, and what it inherits is as high as it must be.
_five := {
	"request": {"topic": "shop.baskets", "replicationFactor": 5},
	"clusterState": {"defaults": {"min.insync.replicas": "2"}},
}

# The decision about a document while a site's rules propose as well.
_site_decision(fields, over, site) := result if {
	laid := fixtures.compiled(object.union(fixtures.settings, over))
	document := fixtures.document(fields)
	result := data.kafka.decision with input as document with data.settings.compiled as laid with data.site.rules as site
}

_proposing(rule, configs) := {"a": {"annotate": {{"rule": rule, "configs": configs}}}}

test_what_is_proposed_goes_with_the_decision if {
	expected := object.union(fixtures.allowed, {"annotations": {"configs": {"min.insync.replicas": "4"}}})
	expected == _site_decision(_five, _floor("warn"), {})
}

# Errors deny, whatever is proposed; the caller sees both.
test_what_is_proposed_goes_with_a_denial if {
	fields := object.union(_five, {"request": {"numPartitions": 101}})
	decision := _site_decision(fields, _floor("warn"), {})
	decision.errors == ["KFK-SIZ-001: 101 partitions are above the maximum of 100"]
	decision.annotations == {"configs": {"min.insync.replicas": "4"}}
}

test_what_a_rule_proposes_depends_on_its_mode[mode] if {
	some mode, annotations in {
		"deny": {"configs": {"min.insync.replicas": "4"}},
		"warn": {"configs": {"min.insync.replicas": "4"}},
		"dryrun": {},
		"disabled": {},
	}
	over := object.union(_floor("warn"), {"enforcementPoints": {"ci": {"KFK-DUR-003": {"mode": mode}}}})
	decision := _site_decision(object.union(_five, {"enforcementPoint": "ci"}), over, {})
	decision.annotations == annotations
	decision.warnings == []
}

test_proposals_of_a_site[note] if {
	some note, tc in {
		"another config": {
			"site": _proposing("SITE-1", {"compression.type": "zstd"}),
			"configs": {"min.insync.replicas": "4", "compression.type": "zstd"},
			"warnings": [],
		},
		"the same value": {
			"site": _proposing("SITE-1", {"min.insync.replicas": "4"}),
			"configs": {"min.insync.replicas": "4"},
			"warnings": [],
		},
		"another value, of a rule whose id is greater": {
			"site": _proposing("SITE-1", {"min.insync.replicas": "3"}),
			"configs": {"min.insync.replicas": "4"},
			"warnings": ["KFK-DUR-003: proposes min.insync.replicas=4, in place of 3 that SITE-1 proposes"],
		},
		"another value, of a rule whose id is smaller": {
			"site": _proposing("ACME-1", {"min.insync.replicas": "3"}),
			"configs": {"min.insync.replicas": "3"},
			"warnings": ["ACME-1: proposes min.insync.replicas=3, in place of 4 that KFK-DUR-003 proposes"],
		},
		"three values": {
			"site": {
				"b": {"annotate": {{"rule": "SITE-2", "configs": {"min.insync.replicas": "1", "a": "b"}}}},
				"a": {"annotate": {{"rule": "SITE-1", "configs": {"min.insync.replicas": "3"}}}},
			},
			"configs": {"min.insync.replicas": "4", "a": "b"},
			"warnings": [
				"KFK-DUR-003: proposes min.insync.replicas=4, in place of 1 that SITE-2 proposes",
				"KFK-DUR-003: proposes min.insync.replicas=4, in place of 3 that SITE-1 proposes",
			],
		},
		"no configs": {"site": _proposing("SITE-1", {}), "configs": {"min.insync.replicas": "4"}, "warnings": []},
		"a value that is not a string": {
			"site": _proposing("SITE-1", {"a": 1}),
			"configs": {"min.insync.replicas": "4"},
			"warnings": [],
		},
		"no rule": {
			"site": {"a": {"annotate": {{"configs": {"a": "b"}}}}},
			"configs": {"min.insync.replicas": "4"},
			"warnings": [],
		},
		"no object": {"site": {"a": {"annotate": ["a"]}}, "configs": {"min.insync.replicas": "4"}, "warnings": []},
	}
	decision := _site_decision(_five, _floor("warn"), tc.site)
	decision.annotations == {"configs": tc.configs}
	decision.warnings == tc.warnings
	decision.allowed
}

# Warnings of rules and of proposals stand together, those of rules first.
test_warnings_of_rules_and_of_proposals if {
	over := object.union(_floor("warn"), {"rules": {"KFK-SIZ-001": {"mode": "warn", "params": {"min": 1, "max": 100}}}})
	fields := object.union(_five, {"request": {"numPartitions": 101}})
	decision := _site_decision(fields, over, _proposing("ACME-1", {"min.insync.replicas": "1"}))
	decision.warnings == [
		"KFK-SIZ-001: 101 partitions are above the maximum of 100",
		"ACME-1: proposes min.insync.replicas=1, in place of 4 that KFK-DUR-003 proposes",
	]
}

test_proposals_are_for_new_and_altered_topics[operation] if {
	some operation, annotations in {
		"CreateTopic": {"configs": {"a": "b"}},
		"AlterTopic": {"configs": {"a": "b"}},
		"AuditTopic": {},
		"DeleteTopic": {},
	}
	topic := {"CreateTopic": "shop.baskets"}
	fields := {"operation": operation, "request": {"topic": object.get(topic, operation, "shop.orders")}}
	decision := _site_decision(fields, {}, _proposing("SITE-1", {"a": "b"}))
	decision.annotations == annotations
}
