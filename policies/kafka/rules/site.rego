package kafka.rules

import data.kafka.legacy

# METADATA
# description: |
#   What is evaluated whatever the operation, here a site's own rules (data.site). What one leaves out, or gives in
#   place of a violation, must not lose the denial.
_always contains object.union(_blank, violation) if {
	violation := data.site.rules[_].deny[_]
	is_object(violation)
}

_always contains object.union(_blank, {"message": json.marshal(other)}) if {
	other := data.site.rules[_].deny[_]
	not is_object(other)
}

# So that Rego written for Kafka's older policies goes on working, where the settings name it.
_always contains denied if {
	input.operation in {"CreateTopic", "AlterTopic", "AlterBroker", "AlterConfig"}
	some denied in legacy.deny
}

_blank := {
	"rule": "SITE",
	"severity": "high",
	"message": "a rule of this site is broken",
	"fix": "",
	"path": [],
	"patch": [],
}

# What is not of this form proposes nothing.
_site_proposals contains {"rule": proposal.rule, "configs": proposal.configs} if {
	proposal := data.site.rules[_].annotate[_]
	is_string(proposal.rule)
	{type_name(value) | some value in proposal.configs} == {"string"}
}
