package kafka_test

import data.kafka

test_owner_label[note] if {
	some note, tc in {
		"of the settings": {"compiled": {"base": {"params": {"KFK-GOV-001": {"labelKey": "team"}}}}, "label": "team"},
		"the usual one": {"compiled": {"base": {"params": {}}}, "label": "owner"},
	}
	tc.label == kafka.owner_label with data.settings.compiled as tc.compiled
}
