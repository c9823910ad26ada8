"""Any mapping gives a result for each of its items, and nothing that was not decided goes on."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warden.policy.adapter import build_denied_elements, build_results, parse_request, select_allowed
from warden.policy.adapter.request_types import REQUEST_TYPES

_scalars = st.none() | st.booleans() | st.integers(-2, 99) | st.text("ab.", max_size=3) | st.floats(allow_nan=False)
_names = st.sampled_from(
    [
        *("name", "topicId", "resourceType", "resourceName", "partitions", "partitionIndex", "replicas", "offset"),
        *("configs", "value", "configOperation", "assignments", "brokerIds", "count", "numPartitions", "validateOnly"),
        *("entity", "entityType", "entityName", "ops", "key", "remove", "mechanism", "iterations", "principal", "host"),
        *("resourceTypeFilter", "resourceNameFilter", "patternTypeFilter", "operation", "permissionType"),
        *("topic", "feature", "maxVersionLevel", "upgradeType", "allowDowngrade", "groupId"),
        *("voterId", "voterDirectoryId", "path", "topics", "committedOffset", "principalType", "principalName"),
    ]
)
_json = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=5), max_leaves=12
)
_elements = st.lists(st.dictionaries(_names, _json, max_size=5) | _json, max_size=4)
_requests = st.dictionaries(
    st.sampled_from(
        [
            *("topics", "topicNames", "resources", "validateOnly", "creations", "filters", "entries", "deletions"),
            *("upsertions", "featureUpdates", "topicPartitions", "electionType", "groupsNames", "groupId"),
            *("voterId", "dirs", "renewers", "maxLifetimeMs", "renewPeriodMs", "expiryTimePeriodMs"),
        ]
    ),
    _elements | _json,
)

# For each of some thirty forms: to make requests up takes nearly all of the time, and each commit makes up others.
_some = settings(max_examples=min(40, settings().max_examples))


@pytest.mark.parametrize("form", [*REQUEST_TYPES, "Produce"])
@_some
@given(request=_requests | _json, version=st.none() | st.integers(0, 9), denies=st.booleans())
def test_every_item_has_a_result(form: str, request: Any, version: int | None, denies: bool) -> None:
    """Whatever the request: no exception, a result for each item, and each element is in exactly one item."""
    parsed = parse_request(form, request, version=version)
    decision = {
        "allowed": not denies,
        "errors": ["no"] if denies else [],
        "violations": [],
        "error": {"code": 44, "name": "POLICY_VIOLATION", "message": "no"} if denies else None,
    }
    results = build_results(parsed, dict.fromkeys(parsed.inputs, decision), log=lambda _line: None)
    sent = select_allowed(parsed, results)
    refused = build_denied_elements(parsed, results)

    assert set(parsed.items) == set(results)
    assert {key for key, result in results.items() if result.allowed} == (set() if denies else set(parsed.inputs))
    positions = sorted(position for item in parsed.items.values() for position in item.positions)
    lists = REQUEST_TYPES[form].lists if form in REQUEST_TYPES and parsed.refusal is None else ()
    assert positions == sorted((name, index) for name in lists for index in range(len(parsed.request.get(name) or ())))
    assert len(refused) == sum(not result.allowed for result in results.values())
    assert denies <= (sent is None)


@pytest.mark.parametrize("form", REQUEST_TYPES)
@_some
@given(request=_requests)
def test_nothing_undecided_goes_on(form: str, request: Any) -> None:
    """Without decisions nothing of any request remains."""
    parsed = parse_request(form, request)

    assert select_allowed(parsed, build_results(parsed, {})) is None
