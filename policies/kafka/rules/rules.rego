# METADATA
# title: Rules
# description: |
#   The rules, a package for each family, and here what is about all of them. A rule is a file in its family's package;
#   nothing registers it. Which families are evaluated is written from the table of operations (families.rego).
# scope: subpackages
# schemas:
#   - input: schema.rule_input
package kafka.rules

import data.kafka.rules.clients
import data.kafka.rules.durability

# Whatever the operation is, the request came in some version of an API of Kafka's: looked at where the input tells.
_common_denials contains denied if {
	input.api
	some denied in clients.deny
}

# METADATA
# description: |
#   The violations, and of a new or altered topic the configs that rules propose, each with the rule that proposes
#   them.
evaluation := [violations, _config_proposals] if {
	input.operation in {"CreateTopic", "AlterTopic"}
} else := [violations, set()]

_config_proposals := union({
	durability.annotate,
	_site_proposals,
})
