package kafka.model.quotas_test

import data.kafka.model.quotas

_ip_with_others := "Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId"

_twice(entries) := $"Ignoring duplicate entity ClientQuotaEntity(entries=\{{entries}})"

_rate_op := {"key": "producer_byte_rate", "value": 1}

test_entities_refused[note] if {
	some note, tc in {
		"a user": {"entity": {"user": "alice"}, "refused": set()},
		"the default client": {"entity": {"clientId": null}, "refused": set()},
		"a user's client": {"entity": {"user": "alice", "clientId": "app"}, "refused": set()},
		"nobody": {"entity": {}, "refused": {"Invalid empty client quota entity"}},
		"a user without a name": {"entity": {"user": ""}, "refused": {"Empty user not supported"}},
		"two without names": {"entity": {"user": "", "clientId": ""}, "refused": {"Empty client-id not supported"}},
		"no name beside an ip": {"entity": {"user": "", "ip": "1.1.1.1"}, "refused": {"Empty user not supported"}},
		"an empty ip": {"entity": {"ip": ""}, "refused": {"Empty ip not supported"}},
		"a user's ip": {"entity": {"user": "a", "ip": "x y"}, "refused": {_ip_with_others}},
		"a client's ip": {"entity": {"clientId": null, "ip": null}, "refused": {_ip_with_others}},
		"no ip": {"entity": {"ip": "x y"}, "refused": {"x y is not a valid IP or resolvable host."}},
	}
	tc.refused == {refusal.message | some refusal in quotas.refusals(_document(tc.entity, []))}
}

test_ops_refused[note] if {
	some note, tc in {
		"nothing": {"entity": {"ip": "1.1.1.1"}, "ops": [], "refused": set()},
		"a whole number": {"entity": {"user": "a"}, "ops": [_rate_op], "refused": set()},
		"nearly whole": {
			"entity": {"user": "a"},
			"ops": [{"key": "producer_byte_rate", "value": 1.0000009}],
			"refused": set(),
		},
		"a fraction of a double": {
			"entity": {"user": "a"},
			"ops": [{"key": "request_percentage", "value": 0.5}],
			"refused": set(),
		},
		"a double without end": {
			"entity": {"user": "a"},
			"ops": [{"key": "request_percentage", "value": 1e300}],
			"refused": set(),
		},
		"a fraction": {
			"entity": {"user": "a"}, "ops": [{"key": "producer_byte_rate", "value": 1.00001}],
			"refused": {"producer_byte_rate cannot be a fractional value."},
		},
		"0 and less": {
			"entity": {"user": "a"},
			"ops": [{"key": "producer_byte_rate", "value": 0}, {"key": "request_percentage", "value": -1}],
			"refused": {"Quota producer_byte_rate must be greater than 0", "Quota request_percentage must be greater than 0"},
		},
		"the largest": {
			"entity": {"ip": null},
			"ops": [{"key": "connection_creation_rate", "value": 2147483647}],
			"refused": set(),
		},
		"larger than an int": {
			"entity": {"ip": null}, "ops": [{"key": "connection_creation_rate", "value": 2147483648}],
			"refused": {"Proposed value for connection_creation_rate is too large for an INT."},
		},
		"the largest long, as a double is written": {
			"entity": {"user": "a"}, "ops": [{"key": "producer_byte_rate", "value": 9223372036854776000}], "refused": set(),
		},
		"larger than a long": {
			"entity": {"user": "a"}, "ops": [{"key": "producer_byte_rate", "value": 9223372036854777856}],
			"refused": {"Proposed value for producer_byte_rate is too large for a LONG."},
		},
		"an ip's key of a user": {
			"entity": {"user": "a"}, "ops": [{"key": "connection_creation_rate", "value": 1}],
			"refused": {"Invalid configuration key connection_creation_rate"},
		},
		"a user's key of an ip": {
			"entity": {"ip": "::1"},
			"ops": [_rate_op],
			"refused": {"Invalid configuration key producer_byte_rate"},
		},
		"a client config (KIP-649)": {
			"entity": {"user": "a"}, "ops": [{"key": "acks", "value": 1}], "refused": {"Invalid configuration key acks"},
		},
		"removal of any key": {"entity": {"user": "a"}, "ops": [{"key": "acks", "remove": true}], "refused": set()},
		"twice, before all else": {
			"entity": {"user": "", "clientId": null}, "ops": [_rate_op, {"key": "producer_byte_rate", "remove": true}],
			"refused": {_twice("client-id=null, user=")},
		},
		"of an ip, twice": {"entity": {"ip": "1.1.1.1"}, "ops": [_rate_op, _rate_op], "refused": {_twice("ip=1.1.1.1")}},
	}
	tc.refused == {refusal.message | some refusal in quotas.refusals(_document(tc.entity, tc.ops))}
}

test_addresses[text] if {
	some text in [
		"0.0.0.0", "255.255.255.255", "010.1.1.1", "1.2.65535", "1.16777215", "4294967295", "::", "[::1]", "::ffff:1.2.3.4",
		"fe80::1%eth0", "[fe80::1%1]", "localhost", "a-b.example.", "1.2.3.4a",
	]
	quotas.can_resolve(text)
}

test_no_addresses[text] if {
	some text in [
		"256.1.1.1", "1.2.65536", "1.16777216", "4294967296", "1.2.3.4.5", "1.2.3.", ".1", "1..2", "0000000001.2.3.4",
		"0x7f.1", "1.2.3.0X4", "[::1", "::1]", "::1%", "1::2::3", "1.2.3.4:80", "12345::", "a b", "1.2.3.4/8", " 1.2.3.4",
	]
	not quotas.can_resolve(text)
}
