package kafka.base.globs_test

import data.kafka.base.globs

test_names_by_patterns[note] if {
	some note, tc in {
		"one of them": {"patterns": ["b", "shop.*"], "name": "shop.orders", "matches": ["shop.*"]},
		"several, as they stand": {"patterns": ["*", "b", "a*"], "name": "ab", "matches": ["*", "a*"]},
		"any characters, dots and slashes too": {"patterns": ["a*z"], "name": "a.b/c.z", "matches": ["a*z"]},
		"the whole name": {"patterns": ["shop"], "name": "shop.orders", "matches": []},
		"case matters": {"patterns": ["Shop"], "name": "shop", "matches": []},
		"none": {"patterns": [], "name": "a", "matches": []},
		"no name": {"patterns": ["*"], "name": null, "matches": []},
	}
	tc.matches == globs.matches(tc.patterns, tc.name)
	count({true | globs.has_match(tc.patterns, tc.name)}) == min([1, count(tc.matches)])
}
