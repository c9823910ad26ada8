package system.log_test

import data.system.log

# What the log would show of a decision event.
_shown(event) := object.union(event, {substring(mask.path, 1, -1): mask.value |
	some mask in log.mask with input as event
	mask.op == "upsert"
})

_inputs := [
	[
		"configs of a new resource",
		{"request": {"configs": {"sasl.jaas.config": "s", "retention.ms": "1", "ssl.keystore.key": "s"}}},
		{"request": {"configs": {"sasl.jaas.config": "***", "retention.ms": "1", "ssl.keystore.key": "***"}}},
	],
	[
		"an incremental change",
		{"request": {"configs": {"mode": "incremental", "ops": [
			{"name": "cleanup.policy", "op": "SET", "value": "compact"},
			{"name": "listener.name.a.scram-sha-256.sasl.jaas.config", "op": "SET", "value": "s"},
		]}}},
		{"request": {"configs": {"mode": "incremental", "ops": [
			{"name": "cleanup.policy", "op": "SET", "value": "compact"},
			{"name": "listener.name.a.scram-sha-256.sasl.jaas.config", "op": "SET", "value": "***"},
		]}}},
	],
	[
		"a full change, and one that deletes",
		{"request": {"configs": {"mode": "full", "entries": {"ssl.truststore.password": "s", "sasl.jaas.config": null}}}},
		{"request": {"configs": {"mode": "full", "entries": {"ssl.truststore.password": "***", "sasl.jaas.config": null}}}},
	],
	[
		"a resolved change",
		{"request": {"configs": {"mode": "resolved", "before": {"x.secret": "s"}, "after": {"x.secret": "t", "a": "b"}}}},
		{"request": {"configs": {"mode": "resolved", "before": {"x.secret": "***"}, "after": {"x.secret": "***", "a": "b"}}}},
	],
	[
		"configs of clients",
		{"request": {"ops": [{"key": "acks", "value": "-1"}, {"key": "client.secret", "value": "s"}]}},
		{"request": {"ops": [{"key": "acks", "value": "-1"}, {"key": "client.secret", "value": "***"}]}},
	],
	[
		"a batch whose keys are no path",
		{"items": {"prod/a b%20c": {"configs": {"some.password": "s"}}, "d": {"topic": "password-resets"}}},
		{"items": {"prod/a b%20c": {"configs": {"some.password": "***"}}, "d": {"topic": "password-resets"}}},
	],
	[
		"what all items share",
		{"common": {"brokers": {"1": {"configs": {"delegation.token.master.key": "s", "num.io.threads": "8"}}}}},
		{"common": {"brokers": {"1": {"configs": {"delegation.token.master.key": "***", "num.io.threads": "8"}}}}},
	],
	[
		"a topic whose name says token",
		{"clusterState": {"topics": {"token-events": {"numPartitions": 3, "configs": {"retention.ms": "1"}}}}},
		{"clusterState": {"topics": {"token-events": {"numPartitions": 3, "configs": {"retention.ms": "1"}}}}},
	],
	[
		"a list check by name",
		{"component": "broker", "name": "ssl.key.password", "value": ["s", "t"], "mode": "parse"},
		{"component": "broker", "name": "ssl.key.password", "value": ["***", "***"], "mode": "parse"},
	],
	[
		"headers",
		{"headers": {"Authorization": ["Bearer s"], "Accept": ["text/plain"]}},
		{"headers": {"Authorization": ["***"], "Accept": ["text/plain"]}},
	],
	[
		"secrets under innocent names",
		{
			"a": "x.Login required password = \"s\";",
			"b": "https://u:s@h/",
			"c": "-----BEGIN PRIVATE KEY-----",
			"d": "https://h/",
		},
		{"a": "***", "b": "***", "c": "***", "d": "https://h/"},
	],
	[
		"a Kubernetes secret inside its federated form",
		{"kind": "FederatedSecret", "spec": {"data": {"tls.crt": "s"}, "stringData": {"a": "s"}, "type": "Opaque"}},
		{"kind": "FederatedSecret", "spec": {"data": {"tls.crt": "***"}, "stringData": {"a": "***"}, "type": "Opaque"}},
	],
	[
		"a Kubernetes object that is no secret",
		{"kind": "ConfigMap", "data": {"a": "b"}, "env": [{"name": "API_KEY", "value": "s"}, {"name": "KEYS", "value": "n"}]},
		{
			"kind": "ConfigMap",
			"data": {"a": "b"},
			"env": [{"name": "API_KEY", "value": "***"}, {"name": "KEYS", "value": "n"}],
		},
	],
]

test_secrets_of_the_input[note] if {
	some [note, given, shown] in _inputs
	_shown({"path": "p", "input": given}) == {"path": "p", "input": shown}
}

test_secrets_of_the_result[note] if {
	some [note, given, shown] in _inputs
	_shown({"path": "p", "result": given}) == {"path": "p", "result": shown}
}

test_a_result_that_repeats_a_secret if {
	given := {
		"input": {"name": "ssl.key.password", "value": "hunter22"},
		"result": {"valid": false, "values": ["hunter22"], "errors": ["hunter22 is too short", "no"]},
	}
	_shown(given) == {
		"input": {"name": "ssl.key.password", "value": "***"},
		"result": {"valid": false, "values": ["***"], "errors": ["***", "no"]},
	}
}

test_numbers_and_options if {
	given := {
		"input": {
			"ssl.key.password": 990011,
			"args": ["--port", "1", "--password", "s", "x", "-p", "s", "-P", "1"],
			"retries": 5,
		},
		"result": {"values": [990011, 5], "errors": ["990011 is not a text"]},
	}
	_shown(given) == {
		"input": {
			"ssl.key.password": "***",
			"args": ["--port", "1", "--password", "***", "x", "-p", "***", "-P", "1"],
			"retries": 5,
		},
		"result": {"values": ["***", 5], "errors": ["***"]},
	}
}

test_what_totals_count_is_shown if {
	given := {"input": {"clusterState": {"totals": {"byOwner": {"token-team": 7}}}}}
	_shown(given) == given
}

test_nothing_to_hide_costs_no_mask if {
	log.mask == set() with input as {"input": {"topic": "a"}, "result": {"allowed": true}}
}

test_no_input_and_no_result if log.mask == set() with input as {"path": "catalog/rules"}

# Each alone, so that no other word of the document leads to it.
test_each_name_alone[name] if {
	some name in [
		"ssl.keystore.password", "PASSWD", "sasl.oauthbearer.assertion.private.key.passphrase", "client.secret",
		"delegation.token.x", "sasl.jaas.config", "aws.credentials", "Authorization", "basic.auth.user.info",
		"kubectl.kubernetes.io/last-applied-configuration", "privateKey", "access-key-2", "api.key.x", "apiKeys",
		"encryption_key_id", "ssl.keystore.key", "db.pwd", "DB_PASS", "db.pw", "dbPass", "adminPwd", "salt", "storedKey",
		"saltedPassword", "Cookie", "accountKey",
	]
	_shown({"input": {name: "s"}}) == {"input": {name: "***"}}
}

test_near_misses_of_names[name] if {
	some name in [
		"key", "keys", "key.serializer", "monkey", "group.id", "ssl.keystore.location",
		"pass.through", "api", "compass", "bypass", "basalt",
	]
	_shown({"input": {name: "s"}}) == {"input": {name: "s"}}
}

test_each_text_alone[text] if {
	some text in [
		"-----BEGIN RSA PRIVATE KEY-----", "passwd = x", "PASSWORD=x", "https://u:p@h", "redis://:p@h", "password: x",
		"a;pwd=x", `{"password":"x"}`, `{\"client_secret\": \"x\"}`, "<password>x</password>", "run --password x",
		"--api-key=x", "Bearer abcdefgh", "Basic YTpiYTpi", "curl -u a:b", "eyJhbGciOiJub25l.eyJz.c2ln",
		"AKIAABCDEFGHIJKLMNOP", "the password is hunter2", "Secret was X", "token abc123", "token 'x9y'", "mysql -pX",
		`sh -c "mysqldump -u root -pX db"`, "sshpass -p X ssh h",
	]
	_shown({"input": {"a": text}}) == {"input": {"a": "***"}}
}

test_near_misses_of_texts[text] if {
	some text in [
		"-----BEGIN PUBLIC KEY-----", "a password", "https://h:1/a@b", "https://u@h", "a password of x",
		"compass: x", "basic rules", "curl -u", "the password is missing", "a token is empty", "token bucket", "token 2",
		"mkdir -p /a", "ssh -p 22 h", "mysql -P 3306", "mysql -p",
	]
	_shown({"input": {"a": text}}) == {"input": {"a": text}}
}

_nested(levels, value) := json.unmarshal(concat("", array.flatten([
	[`{"data":` | some _ in numbers.range(1, levels)],
	json.marshal(value),
	["}" | some _ in numbers.range(1, levels)],
])))

test_what_is_nested_too_deep_is_not_shown[note] if {
	unread := "nested more than 64 levels deep: not looked through for secrets, and not shown"
	some note, [value, result, shown] in {
		"a decision": ["secret", {"allowed": false, "errors": ["secret"]}, {"allowed": false}],
		"another answer": ["secret", {"a": "secret"}, unread],
		"a decision without": ["secret", {"errors": ["secret"]}, unread],
		"a list": [["secret"], ["secret"], unread],
		"a text": [{"secret": "s"}, "secret", unread],
	}
	event := {"input": _nested(65, value), "result": result}
	masks := {mask.path: mask.value | some mask in log.mask with input as event}
	masks == {"/input": unread, "/result": shown}
}

test_secrets_inside_secrets if {
	given := {"kind": "Secret", "spec": {
		"kind": "OtherSecret",
		"data": {"kind": "Secret", "stringData": {"a": "s", "b": 1}},
	}}
	inner := object.union(given.spec.data, {"kind": "***", "stringData": {"a": "***", "b": "***"}})
	shown := object.union(given, {"spec": {"data": inner}})
	_shown({"input": given}) == {"input": shown}
	_shown({"input": [given, given]}) == {"input": [shown, shown]}
}

test_a_secret_by_name_inside_another[note] if {
	some note, [given, shown] in {
		"one in the other": [
			{"name": "a.password", "value": {"name": "b.password", "value": ["s", true]}},
			{"name": "a.password", "value": {"name": "***", "value": ["***", true]}},
		],
		"beside each other": [
			[{"name": "a.password", "value": "s"}, {"path": "b.password", "value": {"c": 1}}],
			[{"name": "a.password", "value": "***"}, {"path": "b.password", "value": {"c": "***"}}],
		],
	}
	_shown({"input": given}) == {"input": shown}
}

test_what_is_nested_as_deep_as_it_may_be if {
	event := {"input": _nested(63, {"secret": "s"}), "result": {"allowed": false}}
	_shown(event) == {"input": _nested(63, {"secret": "***"}), "result": {"allowed": false}}
}

test_what_is_deep_without_a_secret if _shown({"input": _nested(200, "a")}) == {"input": _nested(200, "a")}
