package kafka_test

import data.kafka

_unknown_points(names, points) := answer if {
	answer := kafka.unknown_enforcement_points with input as {"enforcementPoints": names}
		with data.settings.compiled as {"enforcementPoints": {point: {} | some point in points}}
}

test_unknown_enforcement_points[note] if {
	none_of := "no settings name it, and it is none of broker, ci, gateway, scan, service, start, webhook"
	some note, tc in {
		"one of Warden's own": {"name": "gateway", "points": [], "said": {}},
		"named by settings": {"name": "portal", "points": ["portal"], "said": {}},
		"misspelt": {
			"name": "gatway",
			"points": [],
			"said": {"gatway": $"enforcement point gatway: {none_of} (did you mean gateway?)"},
		},
		"near one of the settings": {
			"name": "portl",
			"points": ["portal"],
			"said": {"portl": $"enforcement point portl: {none_of} (did you mean portal?)"},
		},
		"like nothing": {"name": "xyz", "points": [], "said": {"xyz": $"enforcement point xyz: {none_of}"}},
		"no text": {"name": 7, "points": [], "said": {}},
	}
	_unknown_points([tc.name], tc.points) == tc.said
}
