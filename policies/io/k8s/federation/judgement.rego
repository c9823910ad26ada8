package io.k8s.federation

import data.io.k8s.federation.rules
import data.kafka.verdict

# METADATA
# description: What the rules have against the placement, by the modes and the waivers that the settings give them.
_judged(point, prepared) := verdict.lines(
	found,
	{"cluster": "", "point": point, "request": {"object": name}},
	time.now_ns(),
) if {
	name := trim_prefix($"{prepared.object.namespace}/{prepared.object.name}", "/")
	found := rules.deny with input as prepared
}
