package kafka.upgrade

import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   The step of what changed that a release is at: the last one since then, and the first for a release before all.
step_at(steps, release) := passed[count(passed) - 1] if {
	passed := [step | some step in steps; _version_by_minor_release[step.since] <= release]
	passed != []
} else := steps[0]

# The releases that are compared, read once for each evaluation.
_version_by_minor_release[minor] := lists.version(minor) if some minor, _ in data.catalog.history.patches

# By the name of a config what becomes of it, {outcome, message}.
_outcomes_by_name(component, stored, from, to) := {name: outcome |
	some name, text in stored
	steps := data.catalog.history.configs[component][_base_config_name(component, name)]
	outcome := _stored_outcome(component, [name, text], step_at(steps, from), step_at(steps, to))
} if {
	component in {"broker", "topic"}
}

_outcomes_by_name("brokerDefaults", stored, from, to) := {name: outcome |
	some name, steps in data.catalog.history.configs.broker
	not name in object.keys(stored)
	_is_present_in_release(steps[0], from)
	outcome := _default_outcome(name, step_at(steps, from), step_at(steps, to))
}

_outcomes_by_name("features", stored, _, to) := {"metadata.version": {"outcome": "refused", "message": message} |
	step := step_at(data.catalog.history.metadataVersion, to)
	to_number(stored["metadata.version"]) < step.min
	message := concat(" ", [
		$"Kafka {input.to} runs from level {step.min} ({step.name}) on:",
		"finalise it with kafka-features before the upgrade",
	])
}

# A broker's config may be set for one of its listeners.
_base_config_name(component, name) := base if {
	component == "broker"
	base := configs.base_name(name)
} else := name

# What came later than the release from which is new to the cluster; of releases before the first nothing is known.
_is_present_in_release(first, from) if _version_by_minor_release[first.since] <= max([from, _oldest_version])

_stored_outcome(component, [name, text], before, after) := {"outcome": "removed", "message": message} if {
	after.removed
	not before.removed
	message := $"Kafka {after.since} does not know it: {_replacement_text(component, _base_config_name(component, name))}"
} else := {"outcome": "refused", "message": message} if {
	message := configs.fault_of(after, name, text)
}

_default_outcome(name, before, after) := {"outcome": "refused", "message": message} if {
	not after.removed
	not _has_default(after)
	_has_default(before)
	message := $"Missing required configuration \"{name}\" which has no default value."
} else := {"outcome": "default", "message": message} if {
	message := $"its default is {_default_text(after)}, and was {_default_text(before)}"
	before.default != after.default
}

_has_default(step) if "default" in object.keys(step)

_default_text(step) := "none" if step.default == null

_default_text(step) := json.marshal(step.default) if step.default != null

_replacement_text(component, name) := row.instead if {
	row := data.catalog.deprecated[component][name]
} else := row.instead if {
	some prefix, row in data.catalog.deprecated[component]
	endswith(prefix, ".")
	startswith(name, prefix)
} else := "remove it"
