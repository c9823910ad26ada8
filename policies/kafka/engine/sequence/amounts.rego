package kafka.engine.sequence

import data.kafka.engine

# METADATA
# description: |
#   What items add, and what those before one add up to. Sums are kept for blocks of a hundred, so that many items cost
#   no more each than few. Whole objects: OPA compares each key of a rule by keys with all that it has, and evaluates
#   such a rule anew for each key that is looked up. Two unions, since `object.union_n` copies the state in each item.
# scope: document
_documents := {key: object.union(_overlaid_common[_has_no_principal(key)], input.items[key]) | some key in input.order}

_overlaid_common := {unnamed: object.union(principal, _common) | some unnamed, principal in engine.anonymous_overlay}

_has_no_principal(key) := object.get(object.union(_common, input.items[key]), "principal", null) == null

_common := object.get(input, "common", {})

# By scope and pointer: what counts within its request alone, by the request that `requests` names.
_amounts := {key: {[_scope(key, pointer), pointer]: amount | some pointer, amount in _amounts_of(key)} |
	some key in input.order
}

_scope(key, pointer) := object.get(input, ["requests", key], "") if startswith(pointer, "/request/")

_scope(_, pointer) := "" if not startswith(pointer, "/request/")

_amounts_of(key) := amounts if {
	amounts := engine.charges(_documents[key], _current_documents[key])
} else := {}

# With the topic as it is by now, where the state does not show that yet.
_current_documents := {key: _current_document(document) | some key, document in _documents}

_current_document(document) := object.union(document, {"changed": {"topic": topic}}) if {
	document.request.topic in _changed_names
	topic := _changed_topics[document.request.topic]
} else := document

_changed_names := object.keys(_changed_topics)

# The places in the order of the items that add to a pointer. OPA indexes the comprehension by the pointer.
_positions_by_pointer := {pointer: positions |
	some pointer in {pointer | some [pointer, _] in _pointer_positions}
	positions := [place[1] | some place in _pointer_positions; place[0] == pointer]
}

_pointer_positions := [[pointer, position] | some position, key in input.order; some pointer, _ in _amounts[key]]

_total_amounts := {pointer: sum([_amounts[input.order[position]][pointer] | some position in positions]) |
	some pointer, positions in _positions_by_pointer
}

_ranks_by_pointer := {pointer: {position: rank | some rank, position in positions} |
	some pointer, positions in _positions_by_pointer
}

# What is charged to a pointer, item by item: all that is allowed, and for items that are no trial without the trials.
_item_charges := {pointer: by_trial |
	some pointer, positions in _positions_by_pointer
	by_trial := {trial: [_charge(input.order[position], pointer, trial) | some position in positions] |
		some trial in [true, false]
	}
}

_charge(key, pointer, trial) := _amounts[key][pointer] if {
	key in _allowed_keys
	_is_charge_counted(key, trial)
} else := 0

_is_charge_counted(_, true)

_is_charge_counted(key, false) if not _is_tried(key)

_block_size := 100

_block_sums := {pointer: sums |
	some pointer, by_trial in _item_charges
	sums := {trial: [sum(array.slice(charged, start, start + _block_size)) |
		some start in numbers.range_step(0, count(charged), _block_size)
	] |
		some trial, charged in by_trial
	}
}

_earlier_charges(key) := {pointer: before |
	some pointer, _ in _amounts[key]
	rank := _ranks_by_pointer[pointer][_position_by_key[key]]
	full := floor(rank / _block_size)
	rest := sum(array.slice(_item_charges[pointer][trial], full * _block_size, rank))
	before := sum(array.slice(_block_sums[pointer][trial], 0, full)) + rest
} if {
	trial := object.get(_documents[key], "validateOnly", false)
}

_position_by_key := {key: position | some position, key in input.order}
