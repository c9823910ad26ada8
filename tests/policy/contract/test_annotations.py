"""Responses of the policy are merged or deny: tables, and properties over any names, values and JSON documents."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warden.base.errors import InputError
from warden.policy.contract.annotations import (
    Enforcement,
    apply_response,
    encode_annotation,
    join_errors,
    merge_annotations,
)

_JSON = st.recursive(
    st.booleans() | st.integers(-1000, 1000) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_NAMES = st.text(min_size=1, max_size=8)
_EXISTING = st.dictionaries(_NAMES, st.text(max_size=8), max_size=5)
_ANNOTATIONS = st.dictionaries(_NAMES, _JSON, max_size=5)


@pytest.mark.parametrize(
    ("existing", "annotations", "expected"),
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
def test_merge(existing, annotations, expected):
    """Existing keys are replaced, others kept, and what is no text is compact JSON with sorted names."""
    assert expected == merge_annotations(existing, annotations)


@pytest.mark.parametrize(("value", "reason"), [(None, "is null"), (float("nan"), "as JSON"), ({1, 2}, "as JSON")])
def test_values_that_an_annotation_cannot_hold(value, reason):
    """They are refused with a message that names the annotation."""
    with pytest.raises(InputError, match=f"annotation a/b .*{reason}"):
        merge_annotations({}, {"a/b": value})


@given(_EXISTING, _ANNOTATIONS)
def test_merge_takes_nothing_away_and_replaces_what_overlaps(existing, annotations):
    """Every key of both is there, with the new value where there is one; merging once more changes nothing."""
    merged = merge_annotations(existing, annotations)

    assert existing.keys() | annotations.keys() == merged.keys()
    assert {name: text for name, text in existing.items() if name not in annotations} == {
        name: text for name, text in merged.items() if name not in annotations
    }
    assert all(isinstance(text, str) for text in merged.values())
    assert merged == merge_annotations(merged, annotations)


@given(_EXISTING, _ANNOTATIONS, st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=4))
def test_errors_deny_whatever_the_annotations_say(existing, annotations, errors):
    """The resource stays as it is, and every reason is reported."""
    enforcement = apply_response(existing, {"annotations": annotations, "errors": errors})

    assert Enforcement(join_errors(errors), existing) == enforcement
    assert not enforcement
    assert all(error.strip() in str(enforcement.denial) for error in errors)


@given(_EXISTING, _ANNOTATIONS)
def test_no_errors_no_denial(existing, annotations):
    """An empty list of errors and none at all are the same."""
    expected = Enforcement(None, merge_annotations(existing, annotations))

    assert expected
    assert (expected, expected) == (
        apply_response(existing, {"annotations": annotations}),
        apply_response(existing, {"annotations": annotations, "errors": [], "warnings": []}),
    )


@given(_JSON)
def test_a_document_is_written_so_that_it_reads_back(value):
    """Text stays text; all else is JSON of the same value, and has one way to be written."""
    text = encode_annotation("a", value)

    if isinstance(value, str):
        assert value == text
    else:
        assert value == json.loads(text)
        assert text == encode_annotation("a", json.loads(text))


@pytest.mark.parametrize(
    ("errors", "line"),
    [(["a"], "a"), (["b", "a"], "b; a"), (["a", "b", "a"], "a; b"), ([" a ", "b."], "a; b.")],
)
def test_errors_in_one_line(errors, line):
    """In the order in which they are reported, each once."""
    assert line == join_errors(errors)


@pytest.mark.parametrize(("errors", "line"), [([""], "the policy gives no reason"), ([" ", "a"], "a")])
def test_an_error_without_a_text_denies_too(errors, line):
    """A denial always has a sentence."""
    assert apply_response({"a": "1"}, {"errors": errors}) == Enforcement(line, {"a": "1"})


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ({"errors": "no"}, "errors is not a list of strings"),
        ({"errors": [1]}, "errors is not a list of strings"),
        ({"errors": {"a": "b"}}, "errors is not a list of strings"),
        ({"errors": False}, "errors is not a list of strings"),
        ({"warnings": ["a", None]}, "warnings is not a list of strings"),
        ({"annotations": []}, "annotations is not an object"),
        ({"annotations": {"a": None}}, "annotation a is null"),
        ({"annotations": {"a\nb": None}}, "annotation 'a\\nb' is null"),
        (None, "is null, not an object"),
        (True, "is a boolean, not an object"),
        (1, "is a number, not an object"),
        (1.5, "is a number, not an object"),
        ("allowed", "is a string, not an object"),
        ([{"errors": []}], "is an array, not an object"),
    ],
)
def test_what_is_no_response(response: Any, reason):
    """It neither allows nor denies: one sentence says what it is."""
    with pytest.raises(InputError) as raised:
        apply_response({}, response)

    assert reason in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("field", ["annotations", "errors", "warnings"])
def test_a_field_that_is_null_is_empty(field):
    """Kubernetes writes null where there is nothing."""
    response = {"annotations": {"b": "2"}, "errors": [], "warnings": ["w"]}
    without = {name: value for name, value in response.items() if name != field}

    assert apply_response({"a": "1"}, {**response, field: None}) == apply_response({"a": "1"}, without)


_FIELDS = st.sampled_from(["annotations", "errors", "warnings"])
_ANY = st.recursive(
    st.none() | _JSON,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_FIELDS | st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)


@given(_EXISTING, _ANY | st.dictionaries(_FIELDS, _ANY | st.lists(st.text(max_size=3))))
def test_any_json_is_applied_or_refused(existing, response):
    """Whatever OPA answers, the result is an enforcement or an error in one sentence."""
    refusal = ""
    try:
        enforcement = apply_response(existing, response)
    except InputError as error:
        refusal = str(error)
    if refusal:
        assert refusal.startswith(("the policy's response", "annotation "))
        assert "\n" not in refusal
    else:
        assert enforcement.denial is None or (enforcement.denial and enforcement.values == existing)
        assert existing.keys() <= enforcement.values.keys()
        assert all(isinstance(text, str) for text in (*enforcement.values.values(), *enforcement.warnings))
        json.dumps(enforcement.values).encode()


def test_json_that_is_nested_too_deep():
    """A response is refused by the annotation's name."""
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]

    with pytest.raises(InputError, match="annotation a cannot be written as JSON"):
        apply_response({}, {"annotations": {"a": deep}})
