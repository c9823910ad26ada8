package checks.controls_test

import data.checks.controls

_shipped := {
	"SOC2": {"title": "SOC 2", "form": `^CC[1-9]\.[1-9]$`, "controls": {"CC6.1": {"title": "Access"}}},
	"PCI-DSS": {"title": "PCI DSS", "form": `^[0-9]+\.[0-9]+$`, "controls": {"4.2": {"title": "In transit"}}},
}

_own_table := {
	"SOC2": {"controls": {"CC6.2": {"title": "Users", "rules": ["KFK-ACL-001"]}}},
	"ACME": {"title": "Our own", "form": "^K-[0-9]$", "controls": {"K-1": {"title": "Owners", "rules": ["ACME-1"]}}},
}

_problems(own, named) := result if {
	document := {"shipped": _shipped, "own": own, "named": named, "rules": ["KFK-ACL-001", "ACME-1"]}
	result := controls.problems with input as document
}

test_what_rules_name[note] if {
	some note, tc in {
		"of both tables": {"named": ["SOC2 CC6.1", "SOC2 CC6.2", "ACME K-1", "PCI-DSS 4.2"], "problems": set()},
		"none": {"named": [], "problems": set()},
		"twice": {
			"named": ["SOC2 CC6.1", "ACME K-1", "SOC2 CC6.1"],
			"problems": {"controls: SOC2 CC6.1 is named twice: name it once"},
		},
		"no framework named": {
			"named": ["CC6.1"],
			"problems": {"controls: CC6.1: write FRAMEWORK ID, such as SOC2 CC6.1"},
		},
		"two spaces": {
			"named": ["SOC2  CC6.1"],
			"problems": {"controls: SOC2  CC6.1: write FRAMEWORK ID, such as SOC2 CC6.1"},
		},
		"another framework": {
			"named": ["HIPAA 1"],
			"problems": {"controls: HIPAA 1: there is no framework HIPAA: use ACME, PCI-DSS, SOC2"},
		},
		"an id of another framework": {
			"named": ["SOC2 4.2"],
			"problems": {"controls: SOC2 4.2: 4.2 is not an id of SOC2"},
		},
		"an id that the table lacks": {
			"named": ["SOC2 CC6.3"],
			"problems": {"controls: SOC2 CC6.3: the table of SOC2 has no CC6.3"},
		},
	}
	{$"ACME-1: METADATA, custom.{problem}" | some problem in tc.problems} == _problems(_own_table, {"ACME-1": tc.named})
}

test_a_site_s_table[note] if {
	some note, tc in {
		"none": {"own": {}, "problems": set()},
		"as it should be": {"own": _own_table, "problems": set()},
		"no object": {"own": [], "problems": {"data.site.controls, (Root): Invalid type. Expected: object, given: array"}},
		"a field that is not known": {
			"own": {"SOC2": {"controls": {}, "titel": "x"}},
			"problems": {"data.site.controls, SOC2: Additional property titel is not allowed"},
		},
		"a framework without title and form": {
			"own": {"ACME": {"controls": {}}},
			"problems": {"data.site.controls.ACME: title is missing", "data.site.controls.ACME: form is missing"},
		},
		"a name with a space": {
			"own": {"A B": {"title": "x", "form": ".", "controls": {}}},
			"problems": {"data.site.controls.A B: A B has a space in its name, which ends there in METADATA"},
		},
		"a control of another form and without a title": {
			"own": {"SOC2": {"controls": {"6.1": {}}}},
			"problems": {
				`data.site.controls.SOC2: controls.6.1 is not an id by its form, ^CC[1-9]\.[1-9]$`,
				"data.site.controls.SOC2: controls.6.1 has no title",
			},
		},
		"a rule that is not there": {
			"own": {"SOC2": {"controls": {"CC6.1": {"rules": ["ACME-1", "KFK-ACL-999"]}}}},
			"problems": {"data.site.controls.SOC2: controls.CC6.1.rules: there is no rule KFK-ACL-999"},
		},
	}
	tc.problems == _problems(tc.own, {})
}
