package kafka.rules.brokers

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
#       items: {type: string}
#       description: "Configs that may be altered while brokers run; * matches any characters."
#   message: "{name} may not be altered while {where}"
#   fix: change {name} in the brokers' files, and roll the restart
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], []) if {
	input.operation == "AlterBroker"
	params := input.params["KFK-BRK-004"]
	some name in changes.altered_names("broker", input.change)
	not _is_alterable(name, params.allowed)
	args := {"name": name, "where": _who_runs_text(input.broker)}
}

_is_alterable(name, patterns) if {
	some pattern in patterns
	glob.match(pattern, null, name)
}

_who_runs_text("") := "brokers run"

_who_runs_text(broker) := $"broker {broker} runs" if broker != ""
