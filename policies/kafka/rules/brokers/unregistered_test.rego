package kafka.rules.brokers_test

import data.kafka.fixtures_test as fixtures
import data.kafka.rules.brokers as family

_kept_registered(message, fix) := {
	"rule": "KFK-BRK-010",
	"severity": "high",
	"message": message,
	"fix": fix,
	"path": ["broker"],
	"patch": [],
}

_move := "move the broker's replicas to others first, with kafka-reassign-partitions.sh"

_unregistered(document) := deny if {
	common := {"operation": "UnregisterBroker", "cluster": "c", "params": {"KFK-BRK-010": {}}, "request": {"broker": "3"}}
	deny := family.deny with input as object.union(common, document)
}

test_unregistered[note] if {
	some note, tc in {
		"holds some": {"state": {"totals": {"byBroker": {"3": 6}}}, "message": "holds 6 of the cluster's replicas"},
		"holds one": {"state": {"totals": {"byBroker": {"3": 1}}}, "message": "holds 1 of the cluster's replicas"},
		"holds none": {"state": {"totals": {"byBroker": {"3": 0}}}, "message": ""},
		"is not listed": {"state": {"totals": {"byBroker": {"30": 6}}}, "message": ""},
	}
	expected := {_kept_registered($"broker 3 {tc.message}", _move) | tc.message != ""}
	expected == _unregistered({"clusterState": tc.state})
}

test_unregistered_of_what_is_not_known[note] if {
	some note, state in {
		"nothing": {},
		"without totals": {"clusterState": {}},
		"without those of brokers": {"clusterState": {"totals": {"replicas": 6}}},
	}
	message := "it is not known how many replicas broker 3 holds"
	{_kept_registered(message, fixtures.state_fix("totals"))} == _unregistered(state)
}

# In another spelling it would be in none of the totals.
test_unregistered_by_an_id_in_another_spelling[broker] if {
	some broker, is_canonical in {
		"2": true, "0": true, "20": true, "-1": true,
		"02": false, "+2": false, " 2": false, "2 ": false, "2\n": false, "-0": false, "\u0662": false, "b": false, "": false,
	}
	expected := {_kept_registered(
		$"broker \"{broker}\" is not a broker's id as Kafka writes it",
		"write the id in digits alone, without a nought before it, as in 2",
	) |
		not is_canonical
	}
	expected == _unregistered({"request": {"broker": broker}, "clusterState": {"totals": {"byBroker": {}}}})
}

# What is under way elsewhere counts.
test_unregistered_with_what_is_pending[note] if {
	some note, tc in {
		"comes": {"held": {}, "pending": 2, "message": "broker 3 holds 2 of the cluster's replicas"},
		"goes": {"held": {"3": 2}, "pending": -2, "message": ""},
	}
	expected := {_kept_registered(tc.message, _move) | tc.message != ""}
	expected == _unregistered({
		"clusterState": {"totals": {"byBroker": tc.held}},
		"pending": {"/totals/byBroker/3": tc.pending},
	})
}

test_unregistration_where_the_rule_is_off if {
	deny := family.deny with input as {"operation": "UnregisterBroker", "params": {}, "request": {"broker": "1"}}
	deny == set()
}
