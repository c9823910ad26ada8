package kafka.model.topics_test

import data.kafka.model.topics

_labels(patterns, labels) := prepared.labels if {
	document := {
		"operation": "CreateTopic",
		"cluster": "prod-eu",
		"request": {"topic": "shop.orders.created", "numPartitions": 1, "replicationFactor": 1, "labels": labels},
		"clusterState": patterns,
	}
	prepared := topics.prepared("CreateTopic", document, {"now": 0, "params": {}})
}

test_labels_of_a_name[note] if {
	owner := `(?P<owner>[a-z]+)[.].*`
	some note, tc in {
		"no patterns": {"state": {}, "given": {}, "labels": {}},
		"none": {"state": {"labelPatterns": []}, "given": {}, "labels": {}},
		"an owner": {"state": {"labelPatterns": [owner]}, "given": {}, "labels": {"owner": "shop"}},
		"only of the whole name": {"state": {"labelPatterns": ["(?P<owner>[a-z]+)"]}, "given": {}, "labels": {}},
		"two of one": {
			"state": {"labelPatterns": [`(?P<owner>[a-z]+)[.](?P<area>[a-z]+)[.].*`]},
			"given": {},
			"labels": {"owner": "shop", "area": "orders"},
		},
		"the later wins": {
			"state": {"labelPatterns": [owner, `[a-z]+[.](?P<owner>[a-z]+)[.].*`]},
			"given": {},
			"labels": {"owner": "orders"},
		},
		"a group that is empty": {"state": {"labelPatterns": [`(?P<owner>x?).*`]}, "given": {}, "labels": {}},
		"what the request says wins": {
			"state": {"labelPatterns": [owner]},
			"given": {"owner": "payments", "class": "a"},
			"labels": {"owner": "payments", "class": "a"},
		},
	}
	_labels(tc.state, tc.given) == tc.labels
}

test_label[note] if {
	some note, tc in {
		"plain": {"labels": {"owner": "shop"}, "text": "shop"},
		"with blanks around": {"labels": {"owner": "\t shop of 1 \n"}, "text": "shop of 1"},
		"blank": {"labels": {"owner": " \t"}, "text": "none"},
		"empty": {"labels": {"owner": ""}, "text": "none"},
		"null": {"labels": {"owner": null}, "text": "none"},
		"a number": {"labels": {"owner": 1}, "text": "none"},
		"missing": {"labels": {"Owner": "shop"}, "text": "none"},
	}
	topics.label(tc.labels, "owner", "none") == tc.text
}
