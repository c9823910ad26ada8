package kafka.rules_test

import data.kafka.operations
import data.kafka.rules

# A family that lacked its row would have nothing found.

_prefixes := {
	"brokers": "KFK-BRK",
	"changes": "KFK-CHG",
	"cleanup": "KFK-CMP",
	"clients": "KFK-CLI",
	"config_keys": "KFK-CFG",
	"deletion": "KFK-DEL",
	"durability": "KFK-DUR",
	"lists": "KFK-LST",
	"messages": "KFK-MSG",
	"naming": "KFK-NAM",
	"quotas": "KFK-QTA",
	"retention": "KFK-RET",
	"sizing": "KFK-SIZ",
	"tiering": "KFK-TIE",
}

test_families_of_operations_with_a_before if {
	families := {family | some row in operations; row.unchanged; some family in row.families}
	{family | some family, prefix in _prefixes; _evaluated(prefix)} == families
}

_evaluated(prefix) if {
	denied := rules.violations_of_family(prefix) with input as {"operation": "AlterTopic", "params": {}}
	is_set(denied)
}
