"""What a page shows as changed by a request."""

import pytest

from warden.console.pages.changes import list_changes

_NEW = {"name": "label b", "before": None, "after": "2"}


@pytest.mark.parametrize(
    ("stored", "changes"),
    [
        ({}, [{"name": "label a", "before": None, "after": "1"}, _NEW]),
        ({"a": "1", "c": "3"}, [_NEW, {"name": "label c", "before": "3", "after": "gone"}]),
        ({"a": "1", "b": "2"}, []),
    ],
)
def test_labels(stored, changes):
    """Those that differ, also where a request names all, and those that it leaves out."""
    state = {"topics": {"t": {"labels": stored}}}
    assert changes == list_changes({"request": {"topic": "t", "labels": {"a": "1", "b": "2"}}, "clusterState": state})
    assert [] == list_changes({"request": {"topic": "t"}, "clusterState": state})
