package io.k8s.federation

import data.io.k8s.federation.rules
import data.kafka.base.effects

# METADATA
# description: What the rules have against the placement, by effect, a line each.
_violation_lines_by_effect(enforcement_point, prepared) := effects.lines(
	broken,
	{"cluster": "", "enforcementPoint": enforcement_point, "request": {"object": name}},
	time.now_ns(),
) if {
	name := trim_prefix($"{prepared.object.namespace}/{prepared.object.name}", "/")
	broken := rules.deny with input as prepared
}
