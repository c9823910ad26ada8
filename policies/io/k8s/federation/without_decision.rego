package io.k8s.federation

import data.kafka.base.settings

# METADATA
# title: Without a decision
# description: |
#   What KFK-PLC-003 has a caller do where the policy engine cannot be reached: how many `attempts` it makes, and
#   whether it then refuses the object (`onError: fail`) or lets it pass as it is (`ignore`). A caller asks before that
#   happens. Where the rule is disabled an object is refused.
# entrypoint: true
default without_decision := {"onError": "fail"}

without_decision := object.filter(params, ["attempts", "onError"]) if {
	params := settings.params("", "admission")["KFK-PLC-003"]
}
