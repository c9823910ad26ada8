"""JSON Patch on the request of a decision input."""

import pytest

from warden.policy.adapter.fields import Malformed
from warden.policy.adapter.patch import apply_patch, with_config

_INCREMENTAL = {"mode": "incremental", "ops": [{"name": "a", "op": "DELETE"}, {"name": "b", "op": "SET", "value": "1"}]}


@pytest.mark.parametrize(
    ("request_", "operation", "expected"),
    [
        pytest.param({"n": 1}, {"op": "replace", "path": "/n", "value": 3}, {"n": 3}, id="replace"),
        pytest.param({}, {"op": "replace", "path": "/n", "value": 3}, {"n": 3}, id="replace what is a default"),
        pytest.param({"n": 1}, {"op": "remove", "path": "/n"}, {}, id="remove"),
        pytest.param({"l": [1]}, {"op": "add", "path": "/l/0", "value": 0}, {"l": [0, 1]}, id="insert"),
        pytest.param({"l": [1]}, {"op": "add", "path": "/l/-", "value": 2}, {"l": [1, 2]}, id="append"),
        pytest.param(
            {"l": [1, 2]}, {"op": "replace", "path": "/l/1", "value": 9}, {"l": [1, 9]}, id="replace in a list"
        ),
        pytest.param({"l": [1, 2]}, {"op": "remove", "path": "/l/0"}, {"l": [2]}, id="remove from a list"),
        pytest.param(
            {"o": {"a/b": {}}}, {"op": "add", "path": "/o/a~1b/~0", "value": 1}, {"o": {"a/b": {"~": 1}}}, id="escapes"
        ),
        pytest.param({}, {"op": "add", "path": "/configs/a", "value": "2"}, {"configs": {"a": "2"}}, id="first config"),
        pytest.param(
            {"configs": {"a": "1", "b": "1"}},
            {"op": "add", "path": "/configs/a", "value": "2"},
            {"configs": {"b": "1", "a": "2"}},
            id="config of a new topic",
        ),
        pytest.param(
            {"configs": {"a": "1"}},
            {"op": "remove", "path": "/configs/a"},
            {"configs": {}},
            id="no config of a new topic",
        ),
        pytest.param(
            {"configs": _INCREMENTAL},
            {"op": "add", "path": "/configs/a", "value": "2"},
            {
                "configs": {
                    "mode": "incremental",
                    "ops": [{"name": "b", "op": "SET", "value": "1"}, {"name": "a", "op": "SET", "value": "2"}],
                }
            },
            id="incremental",
        ),
        pytest.param(
            {"configs": _INCREMENTAL},
            {"op": "remove", "path": "/configs/b"},
            {"configs": {"mode": "incremental", "ops": [{"name": "a", "op": "DELETE"}]}},
            id="incremental, left alone",
        ),
        pytest.param(
            {"configs": _INCREMENTAL},
            {"op": "replace", "path": "/configs/mode", "value": "full"},
            {"configs": {**_INCREMENTAL, "mode": "full"}},
            id="the change itself",
        ),
        pytest.param(
            {"configs": {"mode": "full", "entries": {"a": "1"}}},
            {"op": "add", "path": "/configs/a", "value": "2"},
            {"configs": {"mode": "full", "entries": {"a": "2"}}},
            id="full",
        ),
        pytest.param(
            {"configs": {"mode": "resolved", "before": {"a": "1"}, "after": {"a": "1"}}},
            {"op": "add", "path": "/configs/a", "value": "2"},
            {"configs": {"mode": "resolved", "before": {"a": "1"}, "after": {"a": "2"}}},
            id="resolved",
        ),
        pytest.param(
            {"reassignments": {}},
            {"op": "add", "path": "/configs/a", "value": "2"},
            {
                "reassignments": {},
                "configs": {"mode": "incremental", "ops": [{"name": "a", "op": "SET", "value": "2"}]},
            },
            id="a change that had no configs",
        ),
    ],
)
def test_patched(request_, operation, expected):
    """An operation makes of a request what RFC 6902 says, and of configs what is meant in each form of a change."""
    before = repr(request_)

    assert expected == apply_patch(request_, [operation])
    assert before == repr(request_)


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "move", "path": "/a", "from": "/b"},
        {"op": "add", "path": "a", "value": 1},
        {"op": "add", "value": 1},
        {"op": "add", "path": "/x/y", "value": 1},
        {"op": "add", "path": "/list/7", "value": 1},
        {"op": "replace", "path": "/list/1", "value": 1},
        {"op": "replace", "path": "/list/-", "value": 1},
        {"op": "remove", "path": "/x"},
        {"op": "add", "path": "/number/x", "value": 1},
    ],
)
def test_what_cannot_be_applied(operation):
    """An operation that is not an operation, or has no place, is refused rather than guessed."""
    with pytest.raises(Malformed):
        apply_patch({"list": [1], "number": 1}, [operation])


def test_with_config_of_no_change():
    """Where there are no configs yet, they are those of a new topic."""
    assert {"a": "1"} == with_config(None, "a", "1")
