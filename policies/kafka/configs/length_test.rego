package kafka.configs_test

import data.kafka.configs

_refused_length := {{
	"code": 40,
	"name": "INVALID_CONFIG",
	"message": "The configuration value cannot be added because it exceeds the maximum value size of 32767 bytes.",
}}

_letters(n, letter) := concat("", [letter | some _ in numbers.range(1, n)])

test_length[note] if {
	some note, tc in {
		"as long as can be": {"before": {}, "text": _letters(32767, "x"), "refused": set()},
		"one longer": {"before": {}, "text": _letters(32768, "x"), "refused": _refused_length},
		"letters of two bytes": {"before": {}, "text": _letters(32767, "é"), "refused": set()},
		"letters of two units": {"before": {}, "text": _letters(16383, "😀"), "refused": set()},
		"one more of two units": {"before": {}, "text": _letters(16384, "😀"), "refused": _refused_length},
		"another before": {
			"before": {"a": "x", "b": _letters(32768, "x")},
			"text": _letters(32768, "x"),
			"refused": _refused_length,
		},
		"as it was": {
			"before": {"a": _letters(32768, "x")},
			"text": _letters(32768, "x"),
			"refused": set(),
		},
		"removed": {"before": {"a": _letters(32768, "x")}, "text": null, "refused": set()},
	}
	tc.refused == configs.too_long(tc.before, {"a": tc.text, "other": "y"})
}

# Of an operation that cannot be done nothing else is said; a value that is too long is reported with those that are
# bad.
test_length_of_a_change[note] if {
	throttled := "leader.replication.throttled.replicas"

	# 32,767 characters
	before := {throttled: concat(",", [sprintf("%d:1", [i]) | some i in numbers.range(10000, 14095)])}
	some note, tc in {
		"one more": {"ops": [{"name": throttled, "op": "APPEND", "value": "1:1"}], "codes": {40}},
		"as it was": {"ops": [{"name": throttled, "op": "APPEND", "value": "10000:1"}], "codes": set()},
	}
	change := {"mode": "incremental", "ops": tc.ops}
	tc.codes == {refusal.code | some refusal in configs.refusals("topic", before, change, set())}
}
