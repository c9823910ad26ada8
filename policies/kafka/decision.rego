# METADATA
# title: Decisions
# description: The two entry points for decisions; the contract of their documents is docs/reference/contract.md.
package kafka

import data.kafka.engine
import data.kafka.request

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
decision := engine.decide(input, object.union(engine.principals[_unnamed(input)], input)) if {
	is_object(input)
} else := engine.decide(input, input)

# METADATA
# title: Many decisions
# description: |
#   A decision for each item, under the item's own key. What `common` holds is merged under every item, so that
#   what the items share is sent once.
# entrypoint: true
decisions[key] := engine.decide(item, object.union(_commons[_unnamed(item)], item)) if {
	_common_problems == set()
	some key, item in input.items
	is_object(item)
}

decisions[key] := engine.decide(item, item) if {
	some key, item in input.items
	not is_object(item)
}

decisions[key] := engine.invalid_input(_common_problems) if {
	_common_problems != set()
	some key, item in input.items
	is_object(item)
}

# An item that does not say who asks, and nothing that the items have in common.
_commons := {true: object.union(engine.principals[_unnamed(_common)], _common), false: _common}

_unnamed(document) := object.get(document, "principal", null) == null

_common := object.get(input, "common", {})

_common_problems := request.envelope_errors(_common)
