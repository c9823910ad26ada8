"""What OPA is to hold, its checksum, and the operations that lead there: against the plainest way to do the same."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.state.replicate.documents import CHANGES, DOCUMENTS, VALUES, changed, patched
from warden.base.errors import InputError
from warden.state.replicate.patch import format_pointer, iter_operations
from warden.state.replicate.replica import Replica
from warden.state.sources.source import REMOVED, Change


@given(old=VALUES, new=VALUES)
def test_operations_lead_from_one_value_to_the_other(old, new):
    """The patch of the old value is the new one, as JSON has it, and equal values need none."""
    done = patched({"at": old}, iter_operations(("at",), old, new))

    assert json.dumps({"at": new}, sort_keys=True) == json.dumps(done, sort_keys=True)
    assert [] == list(iter_operations(("at",), new, copy.deepcopy(new)))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, [{"op": "replace", "path": "/b", "value": 3}]),
        ({"a": 1, "b": 2}, {"a": 1}, [{"op": "remove", "path": "/b"}]),
        ({"a": 1}, {"a": 1, "b": 2}, [{"op": "add", "path": "/b", "value": 2}]),
        ({"a": {"x": 1, "y": 1}}, {"a": {"x": 1, "y": 2}}, [{"op": "replace", "path": "/a/y", "value": 2}]),
        ({"a": True}, {"a": 1}, [{"op": "replace", "path": "/a", "value": 1}]),
        ({"a": [True]}, {"a": [1]}, [{"op": "replace", "path": "/a", "value": [1]}]),
        ({"a": {"x": 1}}, {"a": {"y": 1}}, [{"op": "replace", "path": "/a", "value": {"y": 1}}]),
        ({"a": {"": 1, "x": 1}}, {"a": {"": 1, "x": 2}}, [{"op": "replace", "path": "/a/x", "value": 2}]),
        ({"a": {"": 1, "x": 1}}, {"a": {"": 2, "x": 1}}, [{"op": "replace", "path": "/a", "value": {"": 2, "x": 1}}]),
    ],
)
def test_the_fewest_operations(old, new, expected):
    """Only what differs is named, by the deepest place that a pointer can name."""
    got = [
        {**one, "path": one["path"].removeprefix("/at")}
        for one in iter_operations(("at",), {**old, "same": 0}, {**new, "same": 0})
    ]

    assert expected == got


def test_a_pointer_is_quoted_twice():
    """OPA decodes the pointer's own escapes, and percent signs before them."""
    assert "/a~1b/a~0b/50%25/%20" == format_pointer(("a/b", "a~b", "50%", " "))


@given(document=DOCUMENTS, changes=st.lists(CHANGES, max_size=6), depth=st.integers(1, 4))
def test_a_replica_follows_changes(document, changes, depth):
    """Document, checksum and operations agree with changing a plain replica, whatever the changes."""
    expected = copy.deepcopy(document)
    for change in changes:
        expected = changed(expected, change)
    replica = Replica(copy.deepcopy(document), depth=depth)

    done = replica.apply(copy.deepcopy(changes))

    assert expected == replica.document
    assert Replica(expected, depth=depth).checksum == replica.checksum
    assert json.dumps(expected, sort_keys=True) == json.dumps(patched(document, done), sort_keys=True)


@given(old=DOCUMENTS, new=DOCUMENTS)
def test_a_replica_becomes_another_document(old, new):
    """A whole new document is reported as operations, and its checksum is as if it had been there from the start."""
    replica = Replica(copy.deepcopy(old))

    done = replica.become(copy.deepcopy(new))

    assert (new, Replica(new).checksum) == (replica.document, replica.checksum)
    assert json.dumps(new, sort_keys=True) == json.dumps(patched(old, done), sort_keys=True)


def test_operations_stay_as_they_are_when_what_they_were_made_of_changes():
    """A later change inside a value that an earlier operation carries does not alter that operation."""
    replica = Replica({"topics": {}})

    done = replica.apply([Change(("topics", "t"), {"a": 1, "b": 1}), Change(("topics", "t", "a"), REMOVED)])

    assert [
        {"op": "add", "path": "/topics/t", "value": {"a": 1, "b": 1}},
        {"op": "remove", "path": "/topics/t/a"},
    ] == done


def test_what_is_not_wanted_is_neither_kept_nor_reported():
    """Trimming goes for the first document, for changes and for a whole new document."""
    replica = Replica({"topics": {}, "acls": {"a": []}}, parts={"topics"})

    done = replica.apply([Change(("acls", "b"), []), Change(("topics", "t"), {})])
    done += replica.become({"topics": {"t": {}}, "acls": {}})

    assert [{"op": "add", "path": "/topics/t", "value": {}}] == done
    assert ({"topics": {"t": {}}}, {"topics": 1}, {"acls"}) == (replica.document, replica.counts, replica.left_out)


def test_an_empty_key_at_the_top_is_refused():
    """No pointer could name it, and its parent is what others may own."""
    with pytest.raises(InputError, match="empty key"):
        Replica({}).apply([Change(("", "a"), 1)])


def test_the_checksum_is_what_the_documentation_says():
    """Recomputed by hand from two pieces, in any order."""
    import hashlib

    texts = ['[["topics","a"],{"x":1}]', '[["size"],3]']
    total = sum(int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big") for text in texts)

    assert f"{total % 2**128:032x}" == Replica({"size": 3, "topics": {"a": {"x": 1}}, "empty": {}}).checksum
