package system.log_test

import data.system.log

_scan := {"enforcementPoint": "scan", "operation": "AuditTopic", "cluster": "a"}

_decided := {"x": {"allowed": true}, "y": {"allowed": false}}

_lines(document) := {mask.path: mask.value |
	some mask in log.mask with input as {"path": "kafka/decisions", "input": document, "result": _decided}
}

_line := {
	"/input": {"scan": {"items": 2, "clusters": {"a"}, "operations": {"AuditTopic"}}},
	"/result": {"allowed": 1, "denied": 1},
}

test_a_scan_leaves_its_totals[note] if {
	some note, document in {
		"shared": {"common": _scan, "items": {"x": {}, "y": {"request": {"configs": {"x.secret": "s"}}}}},
		"of each item": {"items": {"x": _scan, "y": _scan}},
		"of each item over another": {"common": {"enforcementPoint": "ci"}, "items": {"x": _scan, "y": _scan}},
	}
	_lines(document) == _line
}

test_several_clusters if {
	document := {"common": _scan, "items": {"x": {"cluster": "b", "operation": "AuditAcl"}, "y": {"cluster": null}}}
	totals := {"items": 2, "clusters": {"b"}, "operations": {"AuditAcl", "AuditTopic"}}
	_lines(document)["/input"] == {"scan": totals}
}

test_without_a_result_there_is_none_to_count if {
	masks := log.mask with input as {"path": "kafka/decisions", "input": {"common": _scan, "items": {"x": {}}}}
	{mask.path | some mask in masks} == {"/input"}
}

# Whatever is not a scan's as it is decided keeps its line as it is.
test_what_is_logged_whole[note] if {
	some note, document in {
		"one item of another point": {"common": _scan, "items": {"x": {}, "y": {"enforcementPoint": "service"}}},
		"one item without a point": {"common": _scan, "items": {"x": {}, "y": {"enforcementPoint": null}}},
		"a point of another form": {"common": _scan, "items": {"x": {"enforcementPoint": ["scan"]}, "y": {}}},
		"another case": {"common": object.union(_scan, {"enforcementPoint": "Scan"}), "items": {"x": {}}},
		"a change": {"common": _scan, "items": {"x": {}, "y": {"operation": "CreateTopic"}}},
		"no operation": {"common": {"enforcementPoint": "scan"}, "items": {"x": {}}},
		"an operation of another form": {"common": _scan, "items": {"x": {"operation": 1}}},
		"no point": {"common": object.remove(_scan, ["enforcementPoint"]), "items": {"x": {}}},
		"an item in words": {"common": _scan, "items": {"x": "y"}},
		"items in a list": {"common": _scan, "items": [{}]},
		"no items": {"common": _scan, "items": {}},
		"nothing": {"common": _scan},
		"common in words": {"common": "scan", "items": {"x": _scan}},
	}
	_lines(document) == {}
}

test_only_batches_are_a_scans if {
	log.mask == set() with input as {"path": "kafka/decision", "input": {"common": _scan, "items": {"x": {}}}}
}
