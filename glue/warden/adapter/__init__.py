"""Between Kafka's requests and decisions: pure functions, no input or output.

asked = read("CreateTopics", request, version=7)      Kafka's request form → one decision input per resource
decisions = opa.decide_many(asked.inputs, common)
results = answer(asked, decisions)                    → {key: error code, name and text}
remaining(asked, results)                             → the request with only what is allowed, or None
refusals(asked, results)                              → the response's elements for the rest
"""

from warden.adapter.answer import answer, refusals, remaining
from warden.adapter.offer import Offer, Patch, annotated, offer
from warden.adapter.read import Asked, Item, read
from warden.adapter.results import Result
from warden.adapter.topic_ids import topic_ids

__all__ = [
    "Asked",
    "Item",
    "Offer",
    "Patch",
    "Result",
    "annotated",
    "answer",
    "offer",
    "read",
    "refusals",
    "remaining",
    "topic_ids",
]
