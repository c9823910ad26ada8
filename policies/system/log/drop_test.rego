package system.log_test

import data.system.log

test_scans_are_dropped[note] if {
	some [note, event, dropped] in [
		["a batch of a scan", {"path": "kafka/decisions", "input": {"common": {"enforcementPoint": "scan"}}}, true],
		["a batch of a service", {"path": "kafka/decisions", "input": {"common": {"enforcementPoint": "service"}}}, false],
		["one decision for a scan", {"path": "kafka/decision", "input": {"enforcementPoint": "scan"}}, false],
		["no input", {"path": "catalog/rules"}, false],
	]
	log.drop == dropped with input as event
}
