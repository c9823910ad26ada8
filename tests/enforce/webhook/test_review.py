"""AdmissionReviews, pure: what cannot be read has a sentence, and a patch applies to any object."""

import base64
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warden.base.errors import InputError
from warden.enforce.webhook.review import build_policy_answer, parse_review

KEYS = st.text("ab/~.é", min_size=1, max_size=6)
ANNOTATIONS = st.dictionaries(KEYS, st.text(max_size=5), max_size=4)


def review(thing, operation="CREATE", **request):
    """A review of one object, as the API server sends it."""
    whole = {"uid": "u", "operation": operation, "namespace": "web", "object": thing, **request}
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": whole}


def _parsed(document):
    return parse_review(json.dumps(document).encode())


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"", "the body is not JSON"),
        (b"<html>", "the body is not JSON"),
        (b"[" * 10_000 + b"]" * 10_000, "the body is nested too deeply"),
        (b"[]", "the body is not an AdmissionReview"),
        (b'{"kind": "Pod"}', "the body is not an AdmissionReview"),
        (b'{"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1beta1"}', "is of 'admission.k8s.io/v1beta1'"),
        (b'{"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1"}', "has no request with a uid"),
        (b'{"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {"uid": ""}}', "with a uid"),
    ],
)
def test_what_is_no_review(body, sentence):
    """Nobody can answer it, so the sentence is all there is."""
    with pytest.raises(InputError, match=sentence):
        parse_review(body)


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ({"operation": "DELETE"}, "DELETE has no placement: register the webhook for CREATE and UPDATE only"),
        ({"operation": "CONNECT"}, "CONNECT has no placement: register the webhook for CREATE and UPDATE only"),
        ({"subResource": "scale"}, "scale has no placement: register the webhook without subresources"),
        ({"operation": "UPDATE"}, None),
        ({"operation": "UPDATE", "oldObject": {"metadata": {"deletionTimestamp": "t"}}}, "what is being deleted"),
        ({"operation": "UPDATE", "oldObject": {"metadata": {"deletionTimestamp": None}}}, None),
        ({"object": {"metadata": {"deletionTimestamp": "t"}}, "oldObject": None}, None),
        ({}, None),
    ],
)
def test_what_has_no_placement(request_, sentence):
    """It is admitted, so that what a broken policy refuses can at least be deleted."""
    document = review({"metadata": {}})
    document["request"] |= request_

    passes = _parsed(document).pass_reason
    assert passes is None if sentence is None else str(passes).startswith(sentence)


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        ({"name": "a", "object": {"metadata": {"name": "a"}}}, "web/a"),
        ({"object": {"metadata": {"generateName": "a-"}}}, "web/a-…"),
        ({"object": None}, "web"),
    ],
)
def test_names_for_the_log(request_, name):
    """Of an object that has no name yet, its prefix."""
    assert name == _parsed(review({}, **request_)).name


@pytest.mark.parametrize(
    ("thing", "stored", "identity"),
    [
        ({"name": "a"}, {"resourceVersion": "7", "uid": "u"}, {"resourceVersion": "7", "uid": "u"}),
        ({"name": "a", "resourceVersion": ""}, {"resourceVersion": "7"}, {"resourceVersion": "7"}),
        ({"name": "a", "resourceVersion": "6", "uid": "v"}, {"resourceVersion": "7", "uid": "u"}, {}),
        ({"name": "a"}, None, {}),
        ({"name": "a"}, {"uid": None}, {}),
    ],
)
def test_identity_of_an_update(thing, stored, identity):
    """What a client leaves out is that of the stored object; what it names is decided about."""
    parsed = _parsed(review({"metadata": thing, "spec": {}}, "UPDATE", oldObject={"metadata": stored}))

    assert {"metadata": thing | identity, "spec": {}} == parsed.obj


@pytest.mark.parametrize("thing", [None, 3, [], {}, {"metadata": None}, {"metadata": {"annotations": ["a"]}}])
def test_an_object_that_carries_no_annotations(thing):
    """Whatever the policy says of it, it is an error and no admission."""
    with pytest.raises(InputError):
        build_policy_answer(_parsed(review(thing)), {"annotations": {}})


def test_a_denial():
    """403 with all reasons, each once, and warnings beside."""
    response = {"errors": ["no", "never", "no"], "annotations": {"a": "1"}, "warnings": ["mind"]}

    answer = build_policy_answer(_parsed(review({"metadata": {}})), response)["response"]

    assert {
        "uid": "u",
        "allowed": False,
        "status": {"code": 403, "reason": "Forbidden", "message": "no; never"},
        "warnings": ["mind"],
    } == answer


@settings(max_examples=40)
@given(
    metadata=st.one_of(
        st.just({}), st.just({"annotations": None}), st.builds(lambda found: {"annotations": found}, ANNOTATIONS)
    ),
    annotations=ANNOTATIONS,
)
def test_a_patch_applies_to_any_object(metadata, annotations):
    """Annotations of the response replace those of their name, others stay, and no change is not a patch."""
    answer = build_policy_answer(_parsed(review({"metadata": metadata})), {"annotations": annotations})["response"]
    patch = json.loads(base64.b64decode(answer["patch"])) if "patch" in answer else []

    before = metadata.get("annotations") or {}
    after = {**before, **annotations}
    assert after == (applied(metadata, patch).get("annotations") or {})
    assert (before == after) == ("patch" not in answer)
    assert ("patch" in answer) == ("patchType" in answer)


def applied(metadata, patch):
    """RFC 6902, as far as it is used: ``add`` of members, whose parent has to be there."""
    document = json.loads(json.dumps({"metadata": metadata}))
    for operation in patch:
        assert operation["op"] == "add"
        *parents, last = (part.replace("~1", "/").replace("~0", "~") for part in operation["path"].split("/")[1:])
        place = document
        for part in parents:
            place = place[part]
        place[last] = operation["value"]
    return document["metadata"]
