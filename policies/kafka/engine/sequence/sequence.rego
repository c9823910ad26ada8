# METADATA
# title: Items of one request
# description: |
#   Decisions about the items of one request, in its order (`order` of kafka/decisions): each is decided with what those
#   before it add that are allowed. An item that would be denied alone, be it by a cap, is charged to none.
#   `requests` tells the items of several requests apart.
# scope: subpackages
package kafka.engine.sequence

import data.kafka.engine

# METADATA
# description: |
#   The decisions by key. Nearly always no cap is near: an item that none denies or warns of, with all others of the
#   request charged, is decided so at once.
decisions := {key: object.union_n([decision, {"charges": _shown_charges(decision, key)}, _effect(decision, key)]) |
	some key in input.order
	decision := _decision(key)
}

# What it leaves of its topic, for callers that say what the state does not show yet.
_effect(decision, key) := {"effect": effect} if {
	input.changes
	decision.allowed
	not _is_tried(key)
	effect := engine.state_after(_current_documents[key])
} else := {}

_decision(key) := _worst_case_decisions[key] if not key in _capped_keys

_decision(key) := engine.decide(_documents[key], _document_with_pending(key, _earlier_charges(key))) if {
	key in _capped_keys
}

# With all that the other items add, allowed or not.
_worst_case_decisions := {key: engine.decide(_documents[key], _document_with_pending(key, others)) |
	some key in input.order
	others := {pointer: other | some pointer, amount in _amounts[key]; other := _total_amounts[pointer] - amount}
}

_capped_keys := {key |
	some key, decision in _worst_case_decisions
	some violation in decision.violations
	_can_be_cap(violation.rule)
}

# What is pending already, and this; a lone item is the document that it would be without an order.
_document_with_pending(key, amounts) := object.union(_current_documents[key], {"pending": pending}) if {
	stated := object.get(_documents[key], "pending", {})
	pending := object.union(stated, {pointer: total |
		some [_, pointer], amount in amounts
		total := (amount + object.get(stated, pointer, 0)) + object.get(_pending_charges, pointer, 0)
		{total, object.get(stated, pointer, 0)} != {0}
	})
	pending != {}
} else := _current_documents[key]

# What callers are shown: of a request that is only tried, or denied, nothing is to be kept. What counts within its
# request alone is for those who send one request in several batches.
_shown_charges(decision, key) := {pointer: amount |
	decision.allowed
	not _is_tried(key)
	some [_, pointer], amount in _amounts[key]
	_is_for_callers(pointer)
}

_is_for_callers(pointer) if not startswith(pointer, "/request/")

_is_for_callers(_) if input.requests

_is_tried(key) if _documents[key].validateOnly

_can_be_cap(rule) if data.catalog.rules[rule].cap

_can_be_cap(rule) if not data.catalog.rules[rule]

_allowed_keys := {key | some key, decision in _worst_case_decisions; decision.allowed} | {key |
	some key in _capped_keys
	not _worst_case_decisions[key].allowed
	engine.decide(_documents[key], _document_with_pending(key, {pointer: 0 | some pointer, _ in _amounts[key]})).allowed
}
