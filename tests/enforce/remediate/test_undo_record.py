"""Undo records: what is written is read, and what is no record is named."""

import json

import pytest

from warden.base.errors import InputError
from warden.enforce.remediate.undo_record import UndoEntry, UndoRecord, read_undo_entries


def test_a_record(tmp_path):
    """What is written is read; a last line that is cut off was never sent, and any other damage has its line."""
    record = UndoRecord(tmp_path / "records", "run")
    assert not record.path.exists()
    for uid in ("u1", "u2"):
        record.note("/apis/apps/v1/x", uid, {"a": None}, {"a": "2"})
    moves = read_undo_entries(record.path)
    assert [("u1", {"a": None}, {"a": "2"}), ("u2", {"a": None}, {"a": "2"})] == [
        (move.uid, move.before, move.after) for move in moves
    ]
    whole = record.path.read_text(encoding="utf-8")
    record.path.write_text(whole[:-9], encoding="utf-8")
    assert [moves[0]] == read_undo_entries(record.path)
    record.path.write_text("{}\n" + whole, encoding="utf-8")
    with pytest.raises(InputError, match=r"jsonl:1: this is not a line of an undo record"):
        read_undo_entries(record.path)
    assert isinstance(moves[0], UndoEntry)


@pytest.mark.parametrize(
    "line",
    ["[]", "3", '{"time": 1}', json.dumps({"time": "t", "path": "x", "uid": "u", "before": {}, "after": {}})],
)
def test_lines_that_are_no_records(tmp_path, line):
    """Whatever is written there, it is one sentence with the line."""
    path = tmp_path / "r.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"r\.jsonl:1: "):
        read_undo_entries(path)
