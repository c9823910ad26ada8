package kafka.lists.scope_test

import data.kafka.lists.scope

_mask := "org.apache.kafka.connect.transforms.MaskField$Value"

# Which keys of a file are lists, and by what name Kafka speaks of them.
test_rows[note] if {
	some note, tc in {
		"nothing": {"component": "broker", "configs": {}, "names": {}},
		"its own": {
			"component": "broker",
			"configs": {"listeners": "", "num.partitions": ""},
			"names": {"listeners": "listeners"},
		},
		"of one listener": {
			"component": "broker",
			"configs": {"listener.name.a.ssl.cipher.suites": "", "listener.name.ssl.cipher.suites": ""},
			"names": {"listener.name.a.ssl.cipher.suites": "ssl.cipher.suites"},
		},
		"of a worker's clients": {
			"component": "connect",
			"configs": {
				"producer.interceptor.classes": "",
				"producers.interceptor.classes": "",
				"admin.bootstrap.controllers": "",
			},
			"names": {
				"producer.interceptor.classes": "interceptor.classes",
				"admin.bootstrap.controllers": "bootstrap.controllers",
			},
		},
		"of one flow of MirrorMaker": {
			"component": "mirror-maker",
			"configs": {
				"clusters": "",
				"a->b.topics": "",
				"a.bootstrap.servers": "",
				"a.consumer.config.providers": "",
				"a->b.acks": "",
			},
			"names": {
				"clusters": "clusters",
				"a->b.topics": "topics",
				"a.bootstrap.servers": "bootstrap.servers",
				"a.consumer.config.providers": "config.providers",
			},
		},
		"of a transform": {
			"component": "connect-sink",
			"configs": {"transforms.m.type": _mask, "transforms.m.fields": "", "transforms.n.fields": ""},
			"names": {"transforms.m.fields": "fields"},
		},
		"of a transform that is not Kafka's": {
			"component": "connect-sink",
			"configs": {"transforms.m.type": "com.example.Mine", "transforms.m.fields": ""},
			"names": {},
		},
		"of what a source creates": {
			"component": "connect-source",
			"configs": {"topic.creation.default.include": "", "topic.creation.groups": ""},
			"names": {"topic.creation.default.include": "include", "topic.creation.groups": "topic.creation.groups"},
		},
	}
	tc.names == {key: found.name | some key, found in scope.rows(tc.component, tc.configs)}
}

test_component[note] if {
	some note, tc in {
		"as it is called": {"name": "broker", "configs": {}, "component": "broker"},
		"with topics": {"name": "connector", "configs": {"topics": "a"}, "component": "connect-sink"},
		"with a pattern of topics": {"name": "connector", "configs": {"topics.regex": "a"}, "component": "connect-sink"},
		"without": {"name": "connector", "configs": {"connector.class": "com.example.Mine"}, "component": "connect-source"},
		"of MirrorMaker": {
			"name": "connector",
			"configs": {"connector.class": "MirrorSourceConnector", "topics": "a"},
			"component": "mirror-source",
		},
	}
	tc.component == scope.component(tc.name, tc.configs)
}

test_row_of_nothing if scope.row("broker", "num.partitions") == null

test_required[component] if {
	some component, keys in {
		"broker": {"process.roles", "controller.listener.names"},
		"topic": set(),
		"connect-sink": set(),
		"transform-MaskField": {"fields"},
	}
	keys == scope.required(component)
}
