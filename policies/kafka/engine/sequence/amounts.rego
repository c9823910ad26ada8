package kafka.engine.sequence

import data.kafka.engine

# METADATA
# description: |
#   What items add, and what those before one add up to. Sums are kept for blocks of a hundred, so that many items cost
#   no more each than few. Whole objects: OPA compares each key of a rule by keys with all that it has, and evaluates
#   such a rule anew for each key that is looked up. Two unions, since `object.union_n` copies the state in each item.
# scope: document
_documents := {key: object.union(_common_by_anonymity[_is_anonymous(key)], input.items[key]) | some key in input.order}

_common_by_anonymity := {flag: object.union(overlay, _common) | some flag, overlay in engine.anonymous_overlay}

_is_anonymous(key) := object.get(object.union(_common, input.items[key]), "principal", null) == null

_common := object.get(input, "common", {})

# By scope and pointer: what counts within its request alone, by the request that `requests` names.
_charges_by_key := {key: {[_charge_scope(key, pointer), pointer]: amount | some pointer, amount in _item_charges(key)} |
	some key in input.order
}

_charge_scope(key, pointer) := object.get(input, ["requests", key], "") if startswith(pointer, "/request/")

_charge_scope(_, pointer) := "" if not startswith(pointer, "/request/")

_item_charges(key) := amounts if {
	amounts := engine.charges(_documents[key], _current_documents[key])
} else := {}

# With the topic as it is by now, where the state does not show that yet.
_current_documents := {key: _current_document(document) | some key, document in _documents}

_current_document(document) := object.union(document, {"changed": {"topic": topic}}) if {
	document.request.topic in _changed_topic_names
	topic := _changed_topics_by_name[document.request.topic]
} else := document

_changed_topic_names := object.keys(_changed_topics_by_name)

# The places in the order of the items that add to a pointer. OPA indexes the comprehension by the pointer.
_positions_by_pointer := {pointer: positions |
	some pointer in {pointer | some [pointer, _] in _pointer_positions}
	positions := [place[1] | some place in _pointer_positions; place[0] == pointer]
}

_pointer_positions := [[pointer, position] | some position, key in input.order; some pointer, _ in _charges_by_key[key]]

_total_charges := {pointer: sum([_charges_by_key[input.order[position]][pointer] | some position in positions]) |
	some pointer, positions in _positions_by_pointer
}

_ranks_by_pointer_and_position := {pointer: {position: rank | some rank, position in positions} |
	some pointer, positions in _positions_by_pointer
}

# What is charged to a pointer, item by item: all that is allowed, and for items that are no trial without the trials.
_charges_by_pointer_and_trial := {pointer: by_trial |
	some pointer, positions in _positions_by_pointer
	by_trial := {trial: [_counted_charge(input.order[position], pointer, trial) | some position in positions] |
		some trial in [true, false]
	}
}

_counted_charge(key, pointer, trial) := _charges_by_key[key][pointer] if {
	key in _allowed_item_keys
	_is_charge_counted(key, trial)
} else := 0

_is_charge_counted(_, true)

_is_charge_counted(key, false) if not _is_validate_only(key)

_block_size := 100

_block_sums_by_pointer_and_trial := {pointer: sums |
	some pointer, by_trial in _charges_by_pointer_and_trial
	sums := {trial: [sum(array.slice(charged, start, start + _block_size)) |
		some start in numbers.range_step(0, count(charged), _block_size)
	] |
		some trial, charged in by_trial
	}
}

_earlier_charges(key) := {pointer: before |
	some pointer, _ in _charges_by_key[key]
	rank := _ranks_by_pointer_and_position[pointer][_position_by_key[key]]
	full := floor(rank / _block_size)
	rest := sum(array.slice(_charges_by_pointer_and_trial[pointer][trial], full * _block_size, rank))
	before := sum(array.slice(_block_sums_by_pointer_and_trial[pointer][trial], 0, full)) + rest
} if {
	trial := object.get(_documents[key], "validateOnly", false)
}

_position_by_key := {key: position | some position, key in input.order}
