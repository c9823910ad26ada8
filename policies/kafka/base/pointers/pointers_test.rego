package kafka.base.pointers_test

import data.kafka.base.pointers

test_format[note] if {
	some note, tc in {
		"nothing": {"path": [], "pointer": ""},
		"names": {"path": ["configs", "retention.ms"], "pointer": "/configs/retention.ms"},
		"what a pointer is made of": {"path": ["a/b", "~c~1"], "pointer": "/a~1b/~0c~01"},
	}
	pointers.format(tc.path) == tc.pointer
}
