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
decisions := {key: object.union_n([decision, {"charges": _shown_charges(decision, key)}, _topic_after(decision, key)]) |
	some key in input.order
	decision := _item_decision(key)
}

# What it leaves of its topic, for callers that say what the state does not show yet.
_topic_after(decision, key) := {"effect": effect} if {
	input.changes
	decision.allowed
	not _is_validate_only(key)
	effect := engine.state_after(_current_documents[key])
} else := {}

_item_decision(key) := _worst_case_decisions_by_key[key] if not key in _capped_item_keys

_item_decision(key) := engine.decide(_documents[key], _document_with_pending(key, _earlier_charges(key))) if {
	key in _capped_item_keys
}

# With all that the other items add, allowed or not.
_worst_case_decisions_by_key := {key: engine.decide(_documents[key], _document_with_pending(key, others)) |
	some key in input.order
	others := {pointer: other | some pointer, amount in _charges_by_key[key]; other := _total_charges[pointer] - amount}
}

_capped_item_keys := {key |
	some key, decision in _worst_case_decisions_by_key
	some violation in decision.violations
	_can_be_cap(violation.rule)
}

# What is pending already, and this; a lone item is the document that it would be without an order.
_document_with_pending(key, amounts) := object.union(_current_documents[key], {"pending": pending}) if {
	stated := object.get(_documents[key], "pending", {})
	pending := object.union(stated, {pointer: total |
		some [_, pointer], amount in amounts
		total := (amount + object.get(stated, pointer, 0)) + object.get(_pending_charges_by_pointer, pointer, 0)
		{total, object.get(stated, pointer, 0)} != {0}
	})
	pending != {}
} else := _current_documents[key]

# What callers are shown: of a request that is only tried, or denied, nothing is to be kept. What counts within its
# request alone is for those who send one request in several batches.
_shown_charges(decision, key) := {pointer: amount |
	decision.allowed
	not _is_validate_only(key)
	some [_, pointer], amount in _charges_by_key[key]
	_is_shown_pointer(pointer)
}

_is_shown_pointer(pointer) if not startswith(pointer, "/request/")

_is_shown_pointer(_) if input.requests

_is_validate_only(key) if _documents[key].validateOnly

_can_be_cap(rule) if data.catalog.rules[rule].cap

_can_be_cap(rule) if not data.catalog.rules[rule]

_allowed_item_keys := {key | some key, decision in _worst_case_decisions_by_key; decision.allowed} | {key |
	some key in _capped_item_keys
	not _worst_case_decisions_by_key[key].allowed
	no_charges := {pointer: 0 | some pointer, _ in _charges_by_key[key]}
	engine.decide(_documents[key], _document_with_pending(key, no_charges)).allowed
}
