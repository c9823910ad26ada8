"""Files of decision logs are followed over rotation, cuts and restarts: each decision is there, once."""

import gzip
import json
import os
import random
from functools import partial
from pathlib import Path

import pytest

from tests.console.logged import NOW, build_event
from tests.fixtures.conditions import eventually
from tests.fixtures.seed import SEED
from warden.base.errors import InputError
from warden.console.intake.files import Intake, read_upload
from warden.console.store.sqlite_store import SqliteDecisions


class _Followed:
    """A log that is written to, rotated and cut, and a console that is killed and started again."""

    def __init__(self, directory: Path, pattern: str) -> None:
        self.log, self._directory = directory / "opa.json", directory
        self._pattern, self.written, self._rotated = directory / pattern, 0, 0
        self._held = ""
        self._begin()

    def write(self, count: int, *, torn: bool = False) -> None:
        """Write decisions; of the last only a part for now, where it is torn."""
        lines = []
        for _ in range(count):
            lines.append(json.dumps(build_event(f"d-{self.written}")) + "\n")
            self.written += 1
        text = self._held + "".join(lines)
        self._held = text[len(text) - 40 :] if torn else ""
        with self.log.open("a", encoding="utf-8") as log:
            log.write(text[: len(text) - len(self._held)])

    def rename(self) -> None:
        """Rotate as logrotate does by default, and as newsyslog does."""
        self.write(0)
        self._rotated += 1
        self.log.rename(f"{self.log}.{self._rotated}")

    def cut(self) -> None:
        """Rotate as ``copytruncate`` does, after all was read."""
        self.write(0)
        self.read()
        os.truncate(self.log, 0)

    def kill(self) -> None:
        """End it without a word, in the midst of whatever there is, and start another."""
        self.store.close()
        for file in self._intake._open.values():
            file.close()
        self._begin()

    def read(self) -> None:
        """Read until there is no more."""
        while self._intake.poll():
            pass

    def poll(self) -> None:
        """Poll once."""
        self._intake.poll()

    def ids(self) -> list[str]:
        """Return what is stored."""
        return sorted(row[0] for row in self.store.read("SELECT id FROM decisions", ()))

    def close(self) -> None:
        """End it."""
        self._intake.stop()
        self.store.close()

    def _begin(self) -> None:
        self.store = SqliteDecisions(self._directory / "console.db", 100_000, 30, now=lambda: NOW)
        self._intake = Intake([self._pattern], self.store, lambda: "owner")
        self._intake._positions = self.store.read_positions()


@pytest.mark.parametrize("case", range(40))
def test_each_decision_is_there_once(case: int, tmp_path: Path) -> None:
    """Whatever happens to the file and to the console, in any order."""
    numbers = random.Random(f"{SEED}/{case}")
    followed = _Followed(tmp_path, "opa.json*")
    followed.write(numbers.randint(0, 3))
    for _ in range(numbers.randint(5, 40)):
        step = numbers.choice(["write", "write", "torn", "poll", "poll", "rename", "cut", "kill"])
        if step in ("write", "torn"):
            followed.write(numbers.randint(1, 30), torn=step == "torn")
        elif step != "cut" or followed.log.exists():
            getattr(followed, step)()
    followed.write(1)
    followed.read()
    found = followed.ids()
    followed.close()

    assert found == sorted(f"d-{number}" for number in range(followed.written))


def test_a_file_that_was_renamed_is_read_to_its_end(tmp_path: Path) -> None:
    """Also where no pattern has its new name; then it is closed."""
    followed = _Followed(tmp_path, "opa.json")
    followed.write(2)
    followed.read()
    followed.write(3)
    followed.rename()
    followed.write(1)
    followed.read()
    followed.read()

    assert len(followed.ids()) == 6
    assert len(followed._intake._open) == 1
    followed.close()


def test_lines_that_are_no_json_are_passed_over(tmp_path: Path) -> None:
    """Of a log that was cut in the midst, or is of something else."""
    followed = _Followed(tmp_path, "opa.json")
    followed.log.write_bytes(b'{"half\n\xff\xfe\n[[[\n\n{"msg": "Initializing server."}\n' + b"[" * 100_000 + b"\n")
    followed.write(2)
    followed.read()

    assert followed.ids() == ["d-0", "d-1"]
    assert followed._intake.unread == 2
    followed.close()


def test_packed_files_are_read(tmp_path: Path) -> None:
    """As rotation leaves them, and OPA's chunks; one that is half written once it is whole; bad lines are counted."""
    whole = gzip.compress(json.dumps([build_event("a"), build_event("b")]).encode() + b"\n{")
    followed = _Followed(tmp_path, "*.gz")
    chunk = tmp_path / "chunk.gz"
    chunk.write_bytes(whole[:-20])
    followed.read()
    assert followed.ids() == []
    chunk.write_bytes(whole)
    followed.read()

    assert (sorted(followed.ids()), followed._intake.unread) == (["a", "b"], 1)
    followed.close()


def test_a_file_that_was_quiet_for_weeks(tmp_path: Path) -> None:
    """How far it was read is forgotten with what was in it: it is read from its beginning, and only the new stays."""
    log, later, found = tmp_path / "opa.json", NOW + 31 * 86400, []
    for id, at in (("old", NOW), ("new", later)):
        with log.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(build_event(id, at=at)) + "\n")
        with SqliteDecisions(tmp_path / "console.db", 100, 30, now=partial(float, at)) as store:
            store.add([])
            assert {} == store.read_positions()
            with Intake([log], store, lambda: "owner"):
                eventually(store.read_positions, "the file is read")
            found += store.read("SELECT id FROM decisions", ())

    assert [("old",), ("new",)] == found


@pytest.mark.parametrize("body", [b"", b"{}", b"[", b"\xff", b"[" * 100_000])
def test_an_upload_that_is_none(body: bytes) -> None:
    """It is refused in a sentence, not stored in part."""
    with pytest.raises(InputError, match="decision_logs"):
        read_upload(body, "owner")
