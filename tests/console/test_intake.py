"""Files of decision logs are followed over rotation, cuts and restarts: each decision is there, once."""

import gzip
import json
import os
import random
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.console.logged import NOW, build_event
from tests.console.running import RunningConsole, write_config
from tests.fixtures.conditions import eventually
from tests.fixtures.seed import SEED
from warden.console.intake.files import Intake
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


@pytest.mark.parametrize("other", [Path.touch, os.mkfifo])
def test_another_file_as_it_is_opened(
    other: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is rotated between the look at its path and its opening: both are read, and a pipe is not waited for."""
    followed = _Followed(tmp_path, "opa.json*")
    followed.write(3)
    opening = os.open

    def rotate(path: str, flags: int, mode: int = 0o777) -> int:
        if Path(path) == followed.log and followed._rotated == 0:
            followed.rename()
            other(followed.log)
        return opening(path, flags, mode)

    monkeypatch.setattr("os.open", rotate)
    followed.poll()
    assert followed._rotated == 1
    followed.read()
    assert (followed.ids(), followed._intake.problem) == (["d-0", "d-1", "d-2"], None)
    if other is Path.touch:
        followed.write(2)
        followed.read()
        assert len(followed.ids()) == 5
    followed.close()


@pytest.mark.parametrize("content", ["", '{"half'])
@pytest.mark.parametrize("end", ["rename", "unlink"])
def test_a_file_that_ends_before_its_first_line(content: str, end: str, tmp_path: Path) -> None:
    """It has no position, and is closed; what comes after it is read."""
    followed = _Followed(tmp_path, "opa.json")
    followed.log.write_text(content, encoding="utf-8")
    followed.poll()
    if end == "rename":
        followed.log.rename(tmp_path / "opa.json.1")
    else:
        followed.log.unlink()
    followed.poll()
    assert {} == followed._intake._open
    followed.write(2)
    followed.read()

    assert followed.ids() == ["d-0", "d-1"]
    followed.close()


def test_what_is_no_file_keeps_no_other_unread(tmp_path: Path) -> None:
    """A directory and a pipe that a pattern meets are passed over; a name that no text holds is one as any other."""
    (tmp_path / "a.json").mkdir()
    os.mkfifo(tmp_path / "b.json")
    line = json.dumps(build_event("odd name")) + "\n"
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.json")).write_text(line, encoding="utf-8")
    followed = _Followed(tmp_path, "*.json")
    followed.write(1)
    followed.read()

    assert (followed.ids(), followed._intake.problem) == (["d-0", "odd name"], None)
    followed.close()


@pytest.mark.parametrize(
    ("named", "said"),
    [("logs", "logs: not a file: name a file, or a pattern such as "), ("loop", "loop: cannot be read")],
)
def test_a_path_that_cannot_be_read(named: str, said: str, tmp_path: Path) -> None:
    """It is named where the configuration does, and the others are read."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    log = tmp_path / "opa.json"
    log.write_text(json.dumps(build_event("d")) + "\n", encoding="utf-8")
    with SqliteDecisions(tmp_path / "console.db", 100, 30, now=lambda: NOW) as store:
        intake = Intake([tmp_path / named, log], store, lambda: "owner")
        intake.poll()

        assert [("d",)] == store.read("SELECT id FROM decisions", ())
        assert intake.problem
        assert said in intake.problem
        intake.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize(("fault", "said"), [(SystemExit(), "start the console again"), (KeyError("odd"), "odd")])
def test_intake_that_ends_or_fails(
    fault: BaseException, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readiness and metrics say so; after what can be tried again, all is well again."""
    config = write_config(tmp_path, decisions={"files": ["opa.json"]})
    with RunningConsole(config) as console:
        with monkeypatch.context() as patch:
            patch.setattr(Intake, "poll", Mock(side_effect=fault))
            eventually(lambda: console.get("/readyz").status_code == 503, "it is not ready")
            assert said in console.get("/readyz").json()["intake"]
            assert "intake_failing 1.0" in console.get("/metrics").text
        if isinstance(fault, KeyError):
            eventually(lambda: console.get("/readyz").status_code == 200, "it is ready again")


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


def test_a_packed_file_is_read_in_parts(tmp_path: Path) -> None:
    """Where the console ends in the midst of one, it is read again, and each decision is there, once."""
    lines = "".join(json.dumps(build_event(f"d-{number}")) + "\n" for number in range(4000))
    (tmp_path / "opa.json.gz").write_bytes(gzip.compress(lines.encode(), 1))
    with SqliteDecisions(tmp_path / "console.db", 10_000, 30, now=lambda: NOW) as store:
        intake = Intake([tmp_path / "*.gz"], store, lambda: "owner")
        with store.listen(intake._stop.set):
            intake.poll()
        assert 0 < store.rows < 4000
        assert {} == store.read_positions()
        intake._stop.clear()
        intake.poll()

        assert store.rows == 4000
        assert len(store.read_positions()) == 1
        intake.stop()


def test_a_packed_file_is_never_held_as_a_whole(tmp_path: Path) -> None:
    """Of 64 MiB there are some at a time."""
    with gzip.open(tmp_path / "opa.json.gz", "wb", 1) as packed:
        for _ in range(64):
            packed.write(b'{"msg": "%s"}\n' % (b"x" * (1 << 20)))
    with SqliteDecisions(tmp_path / "console.db", 100, 30, now=lambda: NOW) as store:
        intake = Intake([tmp_path / "*.gz"], store, lambda: "owner")
        tracemalloc.start()
        try:
            intake.poll()
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
            intake.stop()

        assert len(store.read_positions()) == 1
    assert peak < 16 << 20


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
