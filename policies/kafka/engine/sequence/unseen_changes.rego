package kafka.engine.sequence

import data.kafka.cluster

# METADATA
# description: |
#   What was changed a moment ago, or is being changed, and the state does not show yet: `changes` of kafka/decisions,
#   from trusted callers. By topic, the steps in their order: `secondsAgo` the source confirmed it, null while it is
#   under way; the `state` in which it leaves the topic (fields, or null), and its `charges`.
# scope: rule
_unseen_changes_by_topic := {name: unseen |
	some name, steps in input.changes
	unseen := [step | some step in steps; not step.secondsAgo > _seen_seconds_ago] # null is below all numbers
	unseen != []
}

# What is longer ago the state shows: it was observed later. The clocks of OPA and of who observed it may differ by a
# little. No function of a step tells this: OPA compares the arguments of a call with those of all others that have the
# same hash, as numbers of seconds have that differ in fractions.
default _seen_seconds_ago := "never" # above all numbers

_seen_seconds_ago := _state_age_seconds + _clock_tolerance_seconds

_clock_tolerance_seconds := 1

_state_age_seconds := (now - time.parse_rfc3339_ns(cluster.part(_common, "meta").observedAt)) / 1000000000 if {
	now := time.parse_rfc3339_ns(object.get(_common, "now", time.format(time.now_ns())))
}

# METADATA
# description: |
#   The topics of items of which a change is confirmed and not seen, as they are by now; null where one is gone. Of the
#   states of other topics their `numPartitions` alone is read.
# scope: rule
_changed_topics_by_name := {name: topic |
	some name in {document.request.topic | some document in _documents}
	steps := _unseen_changes_by_topic[name]
	states := [step.state | some step in steps; is_number(step.secondsAgo); step.state != {}]
	states != []
	topic := _current_topic(object.get(_observed_topics_by_name, name, {}), states)
}

_observed_topics_by_name := {name: cluster.topic(_common, name) | some name, _ in _unseen_changes_by_topic}

_current_topic(_, states) := null if states[count(states) - 1] == null

_current_topic(observed, states) := object.union(object.remove(beneath, object.keys(latest)), latest) if {
	states[count(states) - 1] != null
	deletions := [position | some position, state in states; state == null]
	since := array.slice(states, max(array.concat([-1], deletions)) + 1, count(states))
	beneath := {true: observed, false: {}}[deletions == []]
	latest := {field: values[count(values) - 1] |
		some field in {field | some state in since; some field, _ in state}
		values := [state[field] | some state in since]
	}
}

# METADATA
# description: What all of it adds to what is capped and is not counted in the state, by pointer.
# scope: rule
_pending_charges_by_pointer := {pointer: sum(amounts) |
	some pointer in {pointer | some [pointer, _] in _uncounted_pointer_amounts}
	amounts := [charge[1] | some charge in _uncounted_pointer_amounts; charge[0] == pointer]
}

_uncounted_pointer_amounts := [[pointer, amount] | some charges in _uncounted_charges; some pointer, amount in charges]

_uncounted_charges := [object.get(step, "charges", {}) |
	some name, steps in _unseen_changes_by_topic
	deletions := [position | some position, step in steps; step.state == null; is_number(step.secondsAgo)]
	last_deletion := max(array.concat([-1], deletions))
	gone := {position | some position, step in steps; step.state != null; position < last_deletion} # with all it had
	some position, step in steps
	not _is_counted_in_observed_state(step.state, name)
	not position in gone
]

_is_counted_in_observed_state(null, name) if not _observed_topics_by_name[name]

_is_counted_in_observed_state(state, name) if state.numPartitions <= _observed_topics_by_name[name].numPartitions

# METADATA
# description: Why `changes` cannot be read; undefined where they can.
changes_problem := concat("", [
	"changes: send by topic a list of objects with secondsAgo, a number or null, state, an object or null, ",
	"and charges, amounts by JSON pointers",
]) if {
	input.changes
	not _are_changes_well_formed
}

_are_changes_well_formed if {
	is_object(input.changes)
	every steps in input.changes {
		is_array(steps)
		every step in steps {
			object.keys(step) == {"charges", "secondsAgo", "state"}
			type_name(step.secondsAgo) in {"null", "number"}
			type_name(step.state) in {"null", "object"}
			every amount in step.charges { is_number(amount) }
		}
	}
}
