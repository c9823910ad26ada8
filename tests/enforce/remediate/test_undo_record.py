"""Undo records: what is written is read, and what is no record is named."""

import json
import os
import resource
from contextlib import contextmanager

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


@contextmanager
def _room(size):
    """No file grows beyond a size, as on a disk that fills."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _note(record, uid):
    record.note("/apis/apps/v1/x", uid, {"a": None}, {"a": "2"})


def _read_uids(record):
    return [entry.uid for entry in read_undo_entries(record.path)]


@pytest.mark.parametrize("first", [[], ["u1"]])
def test_a_disk_that_fills_in_the_middle_of_a_line(tmp_path, first):
    """Nothing of the line stays, the next one stands by itself, and what was noted can be taken back."""
    record = UndoRecord(tmp_path, "run")
    for uid in first:
        _note(record, uid)
    whole = record.path.read_bytes() if first else b""
    with _room(len(whole) + 20), pytest.raises(OSError, match="File too large"):
        _note(record, "u2")
    assert whole == record.path.read_bytes()

    _note(record, "u3")
    assert [*first, "u3"] == _read_uids(record)
    record.withdraw()
    assert whole == (record.path.read_bytes() if record.path.exists() else b"")


def test_a_torn_line_that_cannot_be_cut_off(tmp_path, monkeypatch):
    """Reading leaves it out, and the next line is written in its place."""
    record = UndoRecord(tmp_path, "run")
    _note(record, "u1")

    def fail(*_):
        raise OSError("no")

    with monkeypatch.context() as broken, _room(record.path.stat().st_size + 20):
        broken.setattr(os, "ftruncate", fail)
        with pytest.raises(OSError, match="File too large"):
            _note(record, "u2")
    assert b"\n" != record.path.read_bytes()[-1:]
    assert ["u1"] == _read_uids(record)

    _note(record, "u3")
    assert ["u1", "u3"] == _read_uids(record)


def test_what_the_disk_may_not_have(tmp_path, monkeypatch):
    """A line counts once the disk has it, and a file once its directory says so."""
    record, synced = UndoRecord(tmp_path, "run"), []
    sync = os.fsync

    def note_sync(descriptor):
        synced.append(os.fstat(descriptor).st_ino)
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", note_sync)
    _note(record, "u1")
    _note(record, "u2")
    file, directory = record.path.stat().st_ino, tmp_path.stat().st_ino
    assert [file, directory, file] == synced

    def fail(descriptor):
        sync(descriptor)
        if synced:
            synced.clear()
            raise OSError("lost")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="lost"):
        _note(record, "u3")
    assert ["u1", "u2"] == _read_uids(record)
