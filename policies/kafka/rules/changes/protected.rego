package kafka.rules.changes

import data.kafka.violation

# METADATA
# title: Protected configs are not removed
# description: |
#   Without its override a topic has whatever the brokers have, today and after their next change. AlterConfigs, which
#   replaces all configs, removes every one that it does not name, and Kafka hides that from its own policies.
# related_resources:
#   - https://issues.apache.org/jira/browse/KAFKA-14195
#   - https://issues.apache.org/jira/browse/KAFKA-15014
# custom:
#   id: KFK-CHG-004
#   severity: high
#   controls: [SOC2 CC8.1, PCI-DSS 6.5.1, ISO27001 A.8.32]
#   operations: [AlterTopic]
#   params:
#     protectedKeys: {type: array, items: {type: string}, description: Configs whose override stays once it is there.}
#   messages:
#     named: "the override {name}={before} is removed by name, and {name} falls back to {after}"
#     omitted: "the override {name}={before} is removed by not being named, and {name} falls back to {after}"
#   fix: name {name}={before} in the change, or change it incrementally
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], []) if {
	input.operation == "AlterTopic"
	params := input.params["KFK-CHG-004"]
	some name in params.protectedKeys
	before := input.change.before[name]
	not input.change.after[name]
	after := object.get(input.effective.values, name, "the brokers' default")
	args := {"case": _removal_case(name), "name": name, "before": before, "after": after}
}

_removal_case(name) := "omitted" if name in input.change.implicitlyDeleted

_removal_case(name) := "named" if not name in input.change.implicitlyDeleted
