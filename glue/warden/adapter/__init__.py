"""Kafka requests to decision inputs, and decisions to Kafka results: pure functions, no input or output.

parsed = parse_request("CreateTopics", request, version=7)   Kafka's request → one decision input per resource
decisions = opa.decide_many(parsed.inputs, shared_input)
results = build_results(parsed, decisions)                    → {key: error code, name and text}
allowed_subset(parsed, results)                               → the request with only what is allowed, or None
refusals(parsed, results)                                     → the response's elements for the rest
merged(parsed, results, the broker's elements)                → all of them, for ACLs, quotas and credentials
"""

from warden.adapter.parse import Item, ParsedRequest, parse_request
from warden.adapter.response import allowed_subset, build_results, merged, refusals
from warden.adapter.results import Result
from warden.adapter.suggest import Patch, Suggestion, apply_annotations, suggest_fix
from warden.adapter.topic_ids import topic_ids

__all__ = [
    "Item",
    "ParsedRequest",
    "Patch",
    "Result",
    "Suggestion",
    "allowed_subset",
    "apply_annotations",
    "build_results",
    "merged",
    "parse_request",
    "refusals",
    "suggest_fix",
    "topic_ids",
]
