package checks.settings_test

import data.checks.settings

_new := {"topic.management.policy": "kafka.rules"}

_create := {"create.topic.policy": "site.legacy.create_topic"}

_alter := {"alter.config.policy": "site.legacy.alter_config"}

test_policies[note] if {
	some note, tc in {
		"none": {"policies": {}, "problems": set()},
		"the new one": {"policies": _new, "problems": set()},
		"both old ones": {"policies": object.union(_create, _alter), "problems": set()},
		"the new one and an old one": {
			"policies": object.union(_new, _create),
			"problems": {{
				"path": ["policies"],
				"message": "use of config topic.management.policy precludes use of create.topic.policy",
			}},
		},
		"all three": {
			"policies": object.union_n([_new, _create, _alter]),
			"problems": {{
				"path": ["policies"],
				"message": "use of config topic.management.policy precludes use of alter.config.policy and create.topic.policy",
			}},
		},
		"a package that is not a site's": {
			"policies": {"create.topic.policy": "kafka.rules"},
			"problems": {{
				"path": ["policies", "create", "topic", "policy"],
				"message": "does not match pattern '^site[.]legacy[.][a-z_][a-zA-Z0-9_]*$'",
			}},
		},
		"another policy": {
			"policies": {"delete.topic.policy": "site.legacy.delete_topic"},
			"problems": {{"path": ["policies"], "message": "unknown field delete.topic.policy"}},
		},
	}
	tc.problems == _problems({"policies": tc.policies}, false)
}

test_deprecations[note] if {
	some note, tc in {
		"no policies": {"settings": {}, "names": set()},
		"the new one": {"settings": {"policies": _new}, "names": set()},
		"an old one": {"settings": {"policies": _create}, "names": {"create.topic.policy"}},
		"both old ones": {
			"settings": {"policies": object.union(_create, _alter)},
			"names": {"create.topic.policy", "alter.config.policy"},
		},
	}
	deprecations := settings.deprecations with input as {"settings": tc.settings}
	deprecations == {message |
		some name in tc.names
		message := concat("", [
			"policies: ", name, " is deprecated: it sees neither the principal nor the topic as it is. ",
			"Move its rules to data.site.rules, which topic.management.policy stands for.",
		])
	}
}
