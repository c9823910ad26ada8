package kafka.client_configs_test

import data.kafka.client_configs
import data.kafka.model.quotas

_known := "acks, heartbeat.interval.ms, session.timeout.ms"

test_key_problem[key] if {
	some key, problems in {
		"acks": [],
		"session.timeout.ms": [],
		"heartbeat.interval.ms": [],
		"ACKS": [concat("", ["Unknown client config ACKS: use one of ", _known])],
		"": [concat("", ["Unknown client config : use one of ", _known])],
		"linger.ms": [concat("", ["Unknown client config linger.ms: use one of ", _known])],
		"supported.configs": [concat("", ["Unknown client config supported.configs: use one of ", _known])],
		"producer_byte_rate": ["producer_byte_rate is a quota, not a client config: alter it as a client quota"],
		"request_percentage": ["request_percentage is a quota, not a client config: alter it as a client quota"],
	}
	problems == [problem | problem := client_configs.key_problem(key)]
}

_values := {
	"acks": {
		"all": "-1",
		" all ": "-1",
		"-1": "-1",
		" 1": "1",
		"0": "0",
	},
	"session.timeout.ms": {
		"6000": "6000",
		" 10000 ": "10000",
		"1800000": "1800000",
	},
	"heartbeat.interval.ms": {"1": "1", "2147483647": "2147483647"},
}

test_stored_form[note] if {
	some key, values in _values
	some text, stored in values
	note := sprintf("%s=%q", [key, text])
	[stored, []] == [client_configs.stored_form(key, text), [problem | problem := client_configs.value_problem(key, text)]]
}

_problems := {
	"acks": {
		"2": "String must be one of: all, -1, 0, 1",
		"ALL": "String must be one of: all, -1, 0, 1",
		"01": "String must be one of: all, -1, 0, 1",
		"": "String must be one of: all, -1, 0, 1",
	},
	"session.timeout.ms": {
		"5999": "Value must be at least 6000",
		"1800001": "Value must be no more than 1800000",
		"1e4": "Not a number of type INT",
		"": "Not a number of type INT",
		"10000.0": "Not a number of type INT",
		"2147483648": "Not a number of type INT",
	},
	"heartbeat.interval.ms": {"0": "Value must be at least 1", "-1": "Value must be at least 1"},
}

test_value_problem[note] if {
	some key, values in _problems
	some text, problem in values
	note := sprintf("%s=%q", [key, text])
	client_configs.value_problem(key, text) == sprintf("Invalid value %s for configuration %s: %s", [text, key, problem])
}

# What can be read is printed as Kafka has read it, all else as it was written.
test_value_problem_with_white_space[text] if {
	some text, problem in {
		" 5999 ": "Invalid value 5999 for configuration session.timeout.ms: Value must be at least 6000",
		" 6s ": "Invalid value  6s  for configuration session.timeout.ms: Not a number of type INT",
	}
	client_configs.value_problem("session.timeout.ms", text) == problem
}

# Rows of other types than those that ship.
test_a_new_key_is_a_new_row[note] if {
	some note, tc in {
		"long": {"type": "long", "min": 1, "good": ["1", "9223372036854775807"], "bad": ["0", "x", "9223372036854775808"]},
		"double": {"type": "double", "max": 1, "good": ["0.5", "1"], "bad": ["1.5", "half"]},
		"boolean": {"type": "boolean", "good": ["true", " False"], "bad": ["yes", ""]},
		"string": {"type": "string", "good": ["", "x"], "bad": []},
		"string of some": {"type": "string", "validStrings": ["a"], "good": ["a", " a "], "bad": ["b"]},
	}
	row := object.union(object.remove(tc, ["good", "bad"]), {"kind": "client"})
	every text in tc.good {
		not client_configs.value_problem("new.key", text) with data.catalog.clients.configs as {"new.key": row}
	}
	every text in tc.bad {
		client_configs.value_problem("new.key", text) with data.catalog.clients.configs as {"new.key": row}
	}
}

test_only_configs if {
	stored := {
		"acks": "-1",
		"producer_byte_rate": "5",
		"supported.configs": {},
		"session.timeout.ms": 7,
		"other": "x",
	}
	client_configs.only_configs(stored) == {"acks": "-1", "session.timeout.ms": "7"}
	client_configs.only_configs({"acks": " all"}) == {"acks": "-1"}
	client_configs.only_configs({"acks": null}) == {"acks": "null"}
	not client_configs.only_configs("acks=-1")
}

# The seed's example: quotas and client configs in one command, which are two APIs.
test_quotas_are_never_client_configs if {
	stored := {"acks": "-1", "session.timeout.ms": "11000", "producer_byte_rate": "50000"}
	client_configs.only_configs(stored) == {"acks": "-1", "session.timeout.ms": "11000"}
	{key | some key, _ in stored; client_configs.key_problem(key)} == {"producer_byte_rate"}
}

# And the reverse.
test_client_configs_are_never_quotas[key] if {
	some key, [entity, refusals] in {
		"producer_byte_rate": [{"user": "alice"}, set()],
		"connection_creation_rate": [{"ip": "10.0.0.1"}, set()],
		"acks": [{"user": "alice"}, {_invalid("acks")}],
		"byte_rate": [{"user": "alice"}, {_invalid("byte_rate")}],
	}
	refusals == quotas.refusals({"request": {"entity": entity, "ops": [{"key": key, "value": 1}]}})
}

_invalid(key) := {"code": 42, "name": "INVALID_REQUEST", "message": $"Invalid configuration key {key}"}
