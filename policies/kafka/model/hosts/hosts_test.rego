package kafka.model.hosts_test

import data.kafka.model.hosts

test_open_bits[text] if {
	some text, open in {
		"10.0.0.7": 0,
		"0.0.0.0/0": 32,
		"010.1.2.3/08": 24,
		"::": 0,
		"::/0": 128,
		"0:0:0:0:0:0:0:1": 0,
		"2001:DB8::/+32": 96,
		"00001::/16": 112,
		"[::1]/128": 0,
		"::1.2.3.4/100": 28,
		"fe80::1%lo/64": 64,
	}
	open == hosts.range_of(text).open
}

test_no_range[text] if {
	some text in [
		"*", "", "a.example", "10.0.0.0/33", "256.0.0.0/8", "10.0.0/8", "::/129", "::/-1", "::/ 8", ":/8", ":::/8",
		"1:2:3:4:5:6:7:8:9/8", "1:2:3:4::5:6:7:8/8", "12345::/8", "::1.2.3/8", "1.2.3.4::/8", "::ffff:1.2.3.4/128",
		"[::1/8", "::1]/8", "g::/8",
	]
	not hosts.range_of(text)
}

test_containing[note] if {
	some note, tc in {
		"the same": {"outer": "no address", "inner": "no address", "n": 1},
		"everything": {"outer": "*", "inner": "10.0.0.7", "n": 1},
		"an address": {"outer": "10.0.0.0/8", "inner": "10.9.8.7", "n": 1},
		"an address beside it": {"outer": "10.0.0.0/9", "inner": "10.128.0.0", "n": 0},
		"a narrower range": {"outer": "10.0.0.0/8", "inner": "10.9.0.0/16", "n": 1},
		"a wider range": {"outer": "10.0.0.0/8", "inner": "10.0.0.0/7", "n": 0},
		"another family": {"outer": "0.0.0.0/0", "inner": "::1", "n": 0},
		"another spelling": {"outer": "2001:db8::/32", "inner": "2001:0DB8:0:0:0:0:0:1", "n": 1},
		"part of a group": {"outer": "2000::/3", "inner": "3fff::1", "n": 1},
		"beyond part of a group": {"outer": "2000::/3", "inner": "4000::", "n": 0},
		"no address": {"outer": "10.0.0.0/8", "inner": "a.example", "n": 0},
	}
	tc.n == count({true | hosts.has_host(tc.outer, tc.inner)})
}

test_problems[text] if {
	some text, problem in {
		"a/b": "Could not parse [a/b]",
		"10.0.0.0/8/9": "Could not parse [10.0.0.0/8/9]",
		"10.256.0.300/8": "Value [256] not in range [0,255]",
		"10.0.0.0/33": "Value [33] not in range [0,32]",
		"::/x": "Could not parse [::/x] - invalid prefix length",
		"::/ 8": "Could not parse [::/ 8] - invalid prefix length",
		"1::/6/4": "Could not parse [1::/6/4] - invalid prefix length",
		"::/129": "Could not parse [::/129] - prefix length must be between 0 and 128",
		"::ffff:1.2.3.4/96": "Could not parse [::ffff:1.2.3.4] - not an IPv6 address",
		"1:2/3": "Could not parse [1:2]",
		"fe80::1%lo/64": "Could not parse [fe80::1%lo]",
	}
	$"Invalid CIDR notation '{text}': {problem}" == hosts.range_problem(text)
}

test_no_problems[text] if {
	some text in ["*", "", "a.example", "10.0.0.7", "::1", "10.0.0.0/8", "::/0", "fe80::1%1/64", "[::1%1]/64"]
	not hosts.range_problem(text)
}
