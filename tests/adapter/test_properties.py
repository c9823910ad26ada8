"""Any mapping gives a result for each of its items, and nothing that was not decided goes on."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warden.adapter import answer, read, refusals, remaining
from warden.adapter.forms import FORMS

_scalars = st.none() | st.booleans() | st.integers(-2, 99) | st.text("ab.", max_size=3) | st.floats(allow_nan=False)
_names = st.sampled_from(
    [
        *("name", "topicId", "resourceType", "resourceName", "partitions", "partitionIndex", "replicas", "offset"),
        *("configs", "value", "configOperation", "assignments", "brokerIds", "count", "numPartitions", "validateOnly"),
    ]
)
_json = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=5), max_leaves=12
)
_elements = st.lists(st.dictionaries(_names, _json, max_size=5) | _json, max_size=4)
_requests = st.dictionaries(st.sampled_from(["topics", "topicNames", "resources", "validateOnly"]), _elements | _json)


@pytest.mark.parametrize("form", [*FORMS, "Produce"])
@given(request=_requests | _json, version=st.none() | st.integers(0, 9), denies=st.booleans())
def test_every_item_has_a_result(form: str, request: Any, version: int | None, denies: bool) -> None:
    """Whatever the request: no exception, a result for each item, and each element is in exactly one item."""
    asked = read(form, request, version=version)
    decision = {
        "allowed": not denies,
        "error": {"code": 44, "name": "POLICY_VIOLATION", "message": "no"} if denies else None,
    }
    results = answer(asked, dict.fromkeys(asked.inputs, decision), log=lambda _line: None)
    sent = remaining(asked, results)
    refused = refusals(asked, results)

    assert set(asked.items) == set(results)
    assert {key for key, result in results.items() if result.allowed} == (set() if denies else set(asked.inputs))
    places = sorted(place for item in asked.items.values() for place in item.places)
    lists = FORMS[form].lists if form in FORMS and asked.refusal is None else ()
    assert places == sorted((name, index) for name in lists for index in range(len(asked.request.get(name) or ())))
    assert len(refused) == sum(not result.allowed for result in results.values())
    assert denies <= (sent is None)


@pytest.mark.parametrize("form", FORMS)
@given(request=_requests)
def test_nothing_undecided_goes_on(form: str, request: Any) -> None:
    """Without decisions nothing of any request remains."""
    asked = read(form, request)

    assert remaining(asked, answer(asked, {})) is None
