package system.log_test

import data.system.log

test_scans_are_dropped[note] if {
	some [note, event, dropped] in [
		["a batch of a scan", {"path": "kafka/decisions", "input": {"common": {"point": "scan"}}}, true],
		["a batch of a service", {"path": "kafka/decisions", "input": {"common": {"point": "service"}}}, false],
		["one decision for a scan", {"path": "kafka/decision", "input": {"point": "scan"}}, false],
		["no input", {"path": "catalog/rules"}, false],
	]
	log.drop == dropped with input as event
}
