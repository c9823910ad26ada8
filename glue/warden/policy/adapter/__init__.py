"""Kafka requests to decision inputs, and decisions to Kafka results: pure functions, no input or output.

parsed = parse_request("CreateTopics", request, version=7)  Kafka's request → one decision input per resource
decisions = …                                               the decision about each of parsed.inputs, by its key
results = build_results(parsed, decisions)                  → {key: error code, name and text}
select_allowed(parsed, results)                             → the request with only what is allowed, or None
build_denied_elements(parsed, results)                      → the response's elements for the rest
merge_response(parsed, results, the broker's elements)      → all of them, for ACLs, quotas and credentials
"""

from warden.policy.adapter.parse import Item, ParsedRequest, parse_request
from warden.policy.adapter.response import build_denied_elements, build_results, merge_response, select_allowed
from warden.policy.adapter.results import Result
from warden.policy.adapter.suggest import Decide, Patch, Suggestion, apply_annotations, suggest_fix
from warden.policy.adapter.topic_ids import TopicIds, index_topic_ids

__all__ = [
    "Decide",
    "Item",
    "ParsedRequest",
    "Patch",
    "Result",
    "Suggestion",
    "TopicIds",
    "apply_annotations",
    "build_denied_elements",
    "build_results",
    "index_topic_ids",
    "merge_response",
    "parse_request",
    "select_allowed",
    "suggest_fix",
]
