package kafka.rules.brokers

import data.kafka.base.globs
import data.kafka.changes
import data.kafka.violation

# METADATA
# title: Only listed configs are altered while brokers run
# description: |
#   A dynamic change reaches every topic of a broker, or of all brokers, at once, without a restart that
#   someone would notice and without a review.
# related_resources:
#   - https://kafka.apache.org/documentation/#dynamicbrokerconfigs
# custom:
#   id: KFK-BRK-004
#   severity: high
#   controls: [SOC2 CC8.1, PCI-DSS 6.5.1, ISO27001 A.8.32]
#   operations: [AlterBroker]
#   params:
#     allowed:
#       type: array
#       items: {type: string, format: glob}
#       description: "Configs that may be altered while brokers run; * matches any characters."
#   messages:
#     all: "{name} may not be altered while brokers run"
#     one: "{name} may not be altered while broker {broker} runs"
#   fix: change {name} in the brokers' files, and roll the restart
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], []) if {
	input.operation == "AlterBroker"
	params := input.params["KFK-BRK-004"]
	some name in changes.altered_names("broker", input.change)
	not globs.has_match(params.allowed, name)
	before := object.get(input.change.before, name, null)
	after := object.get(input.change.after, name, null)
	not _is_same_to_topics(name, before, after)
	args := {"case": _broker_case(input.broker), "name": name, "broker": input.broker}
}

_broker_case("") := "all"

_broker_case(broker) := "one" if broker != ""
