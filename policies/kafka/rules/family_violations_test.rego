package kafka.rules_test

import data.kafka.operations
import data.kafka.rules

# Of a family that lacked its row nothing would be found.
test_families_of_operations_with_a_before[prefix] if {
	some prefix in _prefixes_with_before
	denied := rules.violations_of_family(prefix) with input as {"operation": "AlterTopic", "params": {}}
	is_set(denied)
}

_prefixes_with_before contains substring(id, 0, 7) if {
	some id, rule in data.catalog.rules
	some operation in rule.operations
	operations[operation].unchanged
}
