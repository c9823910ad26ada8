package kafka.base.request_test

import data.kafka.base.request

test_hint[note] if {
	some note, tc in {
		"another case": {"name": "numpartitions", "hint": " (did you mean numPartitions?)"},
		"one letter less": {"name": "numPartition", "hint": " (did you mean numPartitions?)"},
		"two letters in another order": {"name": "cofnigs", "hint": " (did you mean configs?)"},
		"half of the pairs": {"name": "abx", "hint": " (did you mean aby?)", "known": {"aby", "x"}},
		"less than half": {"name": "abwxyz", "hint": "", "known": {"abcdef"}},
		"nothing in common": {"name": "owner", "hint": ""},
		"one letter": {"name": "x", "hint": ""},
		"no letter": {"name": "", "hint": ""},
		"two that are as near": {"name": "ab", "hint": " (did you mean abc?)", "known": {"zab", "abc"}},
		"three times as long": {"name": "ababab", "hint": " (did you mean ab?)", "known": {"ab", "x"}},
		"longer than that": {"name": "abababa", "hint": "", "known": {"ab", "x"}},
		"no text": {"name": null, "hint": ""},
		"nothing known": {"name": "configs", "hint": "", "known": set()},
	}
	known := object.get(tc, "known", {"configs", "numPartitions", "topic"})
	tc.hint == request.hint(tc.name, known)
}
