# METADATA
# title: Decisions
# description: The two entry points of every door; the contract of their documents is docs/contract.md.
package kafka

import data.kafka.verdict

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
}

decision := verdict.decide(input)

# METADATA
# title: Many decisions
# description: |
#   A decision for each item, under the item's own key. What `common` holds is merged under every item, so that
#   what the items share is sent once.
# entrypoint: true
decisions[key] := verdict.decide(_item(item)) if some key, item in input.items

_item(item) := object.union(object.get(input, "common", {}), item) if {
	is_object(item)
} else := item
