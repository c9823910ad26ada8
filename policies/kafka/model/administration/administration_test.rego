package kafka.model.administration_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.administration

_updated(feature, level) := {"feature": feature, "maxVersionLevel": level, "upgradeType": "UPGRADE"}

_document(updates) := {
	"operation": "UpdateFeatures",
	"cluster": "prod-eu",
	"now": fixtures.now,
	"request": {"featureUpdates": updates},
	"clusterState": {},
}

_update_error(feature, level) := {
	"code": 95,
	"name": "INVALID_UPDATE_VERSION",
	"message": concat("", [
		"The update failed for all features since the following feature had an error: ",
		$"Invalid update version {level} for feature {feature}. A feature version cannot be less than 0.",
	]),
}

test_refusals[note] if {
	some note, tc in {
		"nothing": {"updates": [], "refused": set()},
		"no level": {"updates": [_updated("a", 0)], "refused": set()},
		"below all levels": {"updates": [_updated("a", 1), _updated("b", -1)], "refused": {_update_error("b", -1)}},
	}
	tc.refused == administration.refusals(_document(tc.updates))
}

test_prepared if {
	document := _document([_updated("a", 1)])
	prepared := administration.prepared(document, {"now": 5, "params": {"KFK-CHG-009": {}}})
	prepared == object.union(document, {
		"now": 5,
		"params": {"KFK-CHG-009": {}},
		"labels": {},
		"current": null,
		"requested": null,
	})
}

# From the request to the decision: what rules and Kafka have against it.
test_decided[note] if {
	down := object.union(_updated("metadata.version", 20), {"upgradeType": "SAFE_DOWNGRADE"})
	some note, tc in {
		"up": {"updates": [_updated("metadata.version", 30)], "codes": set()},
		"down": {"updates": [down], "codes": {44}},
		"to no level that there is": {"updates": [_updated("metadata.version", -1)], "codes": {95}},
	}
	rule := {"mode": "deny", "params": {"safe": [], "unsafe": []}}
	decision := fixtures.decide(_document(tc.updates), {"rules": {"KFK-CHG-009": rule}})
	tc.codes == {code | code := decision.error.code}
}

test_unregistration_decided[note] if {
	some note, tc in {
		"holds a replica": {"held": {"3": 1}, "codes": {44}},
		"holds none": {"held": {}, "codes": set()},
	}
	document := object.union(object.remove(_document([]), ["request", "clusterState"]), {
		"operation": "UnregisterBroker",
		"request": {"broker": "3"},
		"clusterState": {"totals": {"byBroker": tc.held}},
	})
	decision := fixtures.decide(document, {"rules": {"KFK-BRK-010": {"mode": "deny", "params": {}}}})
	tc.codes == {code | code := decision.error.code}
}
