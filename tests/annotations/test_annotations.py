"""What the policy wants is merged, what it denies is denied: tables, and properties over any names and values."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warden.annotations import Outcome, carried_out, differing, joined, merged, serialised
from warden.errors import InputError

_JSON = st.recursive(
    st.booleans() | st.integers(-1000, 1000) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_NAMES = st.text(min_size=1, max_size=8)
_EXISTING = st.dictionaries(_NAMES, st.text(max_size=8), max_size=5)
_WANTED = st.dictionaries(_NAMES, _JSON, max_size=5)


@pytest.mark.parametrize(
    ("existing", "wanted", "expected"),
    [
        ({}, {}, {}),
        (None, {"a": "1"}, {"a": "1"}),
        ({"a": "1"}, {}, {"a": "1"}),
        ({"a": "1", "b": "2"}, {"b": "3", "c": "4"}, {"a": "1", "b": "3", "c": "4"}),
        ({}, {"a": {"b": 1, "a": [True, None]}}, {"a": '{"a":[true,null],"b":1}'}),
        ({}, {"a": 2, "b": False, "c": [], "d": ""}, {"a": "2", "b": "false", "c": "[]", "d": ""}),
        ({"retention.ms": "1"}, {"min.insync.replicas": "2"}, {"retention.ms": "1", "min.insync.replicas": "2"}),
        ({}, {"a": "é <b>", "b": {"c": "é <b>"}}, {"a": "é <b>", "b": '{"c":"é <b>"}'}),
    ],
)
def test_merge(existing, wanted, expected):
    """Existing keys are replaced, others kept, and what is no text is compact JSON with sorted names."""
    assert expected == merged(existing, wanted)


@pytest.mark.parametrize(("value", "reason"), [(None, "is null"), (float("nan"), "as JSON"), ({1, 2}, "as JSON")])
def test_values_that_an_annotation_cannot_hold(value, reason):
    """They are refused with a message that names the annotation."""
    with pytest.raises(InputError, match=f"annotation a/b .*{reason}"):
        merged({}, {"a/b": value})


@given(_EXISTING, _WANTED)
def test_merge_takes_nothing_away_and_replaces_what_overlaps(existing, wanted):
    """Every key of both is there, with the wanted value where there is one; merging once more changes nothing."""
    found = merged(existing, wanted)

    assert existing.keys() | wanted.keys() == found.keys()
    assert {name: text for name, text in existing.items() if name not in wanted} == {
        name: text for name, text in found.items() if name not in wanted
    }
    assert all(isinstance(text, str) for text in found.values())
    assert found == merged(found, wanted)


@given(_EXISTING, _WANTED, st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=4))
def test_errors_deny_whatever_the_annotations_say(existing, wanted, errors):
    """The resource stays as it is, and every reason is told."""
    outcome = carried_out(existing, {"annotations": wanted, "errors": errors})

    assert Outcome(joined(errors), existing) == outcome
    assert all(error.strip() in str(outcome.denial) for error in errors)


@given(_EXISTING, _WANTED)
def test_no_errors_no_denial(existing, wanted):
    """An empty list of errors and none at all are the same."""
    expected = Outcome(None, merged(existing, wanted))

    assert (expected, expected) == (
        carried_out(existing, {"annotations": wanted}),
        carried_out(existing, {"annotations": wanted, "errors": [], "warnings": []}),
    )


@given(_JSON)
def test_a_document_is_written_so_that_it_reads_back(value):
    """Text stays text; all else is JSON of the same value, and has one way to be written."""
    text = serialised("a", value)

    if isinstance(value, str):
        assert value == text
    else:
        assert value == json.loads(text)
        assert text == serialised("a", json.loads(text))


@given(_EXISTING, _WANTED)
def test_what_differs_is_what_has_to_be_written(existing, wanted):
    """Nothing differs after the merge, and what differs before is wanted."""
    assert {} == differing(merged(existing, wanted), wanted)
    assert differing(existing, wanted).items() <= merged({}, wanted).items()


@pytest.mark.parametrize(
    ("there", "wanted", "differs"),
    [
        ('{"b": 1, "a": [1]}', {"a": [1], "b": 1}, False),
        ('{"a": 1.0}', {"a": 1}, False),
        ('{"a": true}', {"a": 1}, True),
        ('{"a": [1, 2]}', {"a": [2, 1]}, True),
        ('{"a": 1}', {"a": 1, "b": 2}, True),
        ("[1]", [1, 2], True),
        ("text", "text", False),
        ("text", "other", True),
        ("1", 1, False),
        (" 1", "1", False),
        ("{", {}, True),
    ],
)
def test_values_are_compared_as_what_they_stand_for(there, wanted, differs):
    """Spaces and the order of names are no difference; true is not 1."""
    assert ({"a": serialised("a", wanted)} if differs else {}) == differing({"a": there}, {"a": wanted})


@pytest.mark.parametrize(
    ("errors", "line"),
    [(["a"], "a"), (["b", "a"], "b; a"), (["a", "b", "a"], "a; b"), ([" a ", "b."], "a; b.")],
)
def test_errors_in_one_line(errors, line):
    """In the order in which they are told, each once."""
    assert line == joined(errors)


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        ({"errors": "no"}, "errors"),
        ({"errors": [1]}, "errors"),
        ({"errors": None}, "errors"),
        ({"errors": {"a": "b"}}, "errors"),
        ({"warnings": ["a", None]}, "warnings"),
        ({"annotations": []}, "annotations"),
        ({"annotations": None}, "annotations"),
    ],
)
def test_an_answer_of_another_form_is_no_answer(answer: dict[str, Any], field):
    """Nothing is concluded from it: neither that it allows nor that it wants nothing."""
    with pytest.raises(InputError, match=f"the policy's answer: {field} is not"):
        carried_out({}, answer)
