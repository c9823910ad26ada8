# METADATA
# title: Decisions
# description: The two entry points for decisions; the contract of their documents is docs/reference/contract.md.
package kafka

import data.kafka.base.releases
import data.kafka.base.request
import data.kafka.engine
import data.kafka.engine.sequence

# METADATA
# title: One decision
# description: The decision about one decision input.
# entrypoint: true
default decision := {
	"allowed": false,
	"errors": ["the input is missing: send one decision input"],
	"error": {"code": 42, "name": "INVALID_REQUEST", "message": "the input is missing: send one decision input"},
	"violations": [],
	"warnings": [],
	"annotations": {},
	"stateAge": null,
	"revision": null,
	"invalidInput": true,
}

# METADATA
# schemas:
#   - input: schema.decision_input
decision := engine.decide(input, object.union(engine.anonymous_overlay[_is_anonymous(input)], input)) if {
	is_object(input)
} else := engine.decide(input, input)

# METADATA
# title: Many decisions
# description: |
#   A decision for each item, under the item's own key. What `common` holds is merged under every item, so that
#   what the items share is sent once. `order` has the keys of the items of one request in its order: each is decided
#   with what those before it add to what is capped. `requests` names the request of each, where they are of several;
#   `changes` has what is done or under way and the state does not show yet.
# entrypoint: true
decisions := answers if {
	line := releases.line(_common)
	not _has_items_with_own_cluster
	answers := _decisions_by_key with data.catalog.topic as data.catalog.older.lines[line].topic # once for all items
} else := _decisions_by_key

_has_items_with_own_cluster if {
	some item in input.items
	some field in ["cluster", "clusters", "clusterState"]
	item[field]
}

_decisions_by_key := object.union(
	_item_decisions,
	{key: engine.decide(item, item) | some key, item in input.items; not is_object(item)},
)

_item_decisions := {key: engine.invalid_input(_batch_problems) | some key, item in input.items; is_object(item)} if {
	_batch_problems != set()
} else := sequence.decisions if {
	input.order
} else := {key: engine.decide(item, object.union(_common_by_anonymity[_is_anonymous(item)], item)) |
	some key, item in input.items
	is_object(item)
}

# An item that does not say who asks, and nothing that the items have in common.
_common_by_anonymity := {true: object.union(engine.anonymous_overlay[_is_anonymous(_common)], _common), false: _common}

_is_anonymous(document) := object.get(document, "principal", null) == null

_common := object.get(input, "common", {})

_batch_problems := union({
	request.envelope_errors(_common),
	request.batch_excesses(object.get(input, "items", {})),
	_sequence_problems,
})

_sequence_problems contains "order: name the key of each item once, each item an object" if {
	input.order
	objects := sort([key | some key, item in input.items; is_object(item)])
	not _sorted_order == objects
}

_sequence_problems contains sequence.changes_problem

_sequence_problems contains "changes: send the order of the items, too" if {
	input.changes
	not input.order
}

_sorted_order := sort(input.order) if is_array(input.order)
