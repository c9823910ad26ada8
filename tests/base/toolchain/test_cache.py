"""The cache keeps what is whole, and notices what is not."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from warden.base.errors import ToolchainError
from warden.base.toolchain.cache import Cache


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


class Source:
    """Fills an artefact with two files and counts how often it did."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, directory: Path) -> None:
        self.calls += 1
        (directory / "lib").mkdir()
        (directory / "tool").write_text("tool", encoding="utf-8")
        (directory / "lib" / "part").write_text("part", encoding="utf-8")


def _content(directory: Path) -> dict[str, str]:
    files = (path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_text(encoding="utf-8") for path in files}


WHOLE = {"tool": "tool", "lib/part": "part"}


def test_second_use_does_no_work(cache: Cache, capsys: pytest.CaptureFixture[str]) -> None:
    """What is there and whole is returned as it is, silently."""
    source = Source()

    first, second = cache.obtain("tool-1", source), cache.obtain("tool-1", source)

    assert (first, first, 1, WHOLE) == (cache.root / "tool-1", second, source.calls, _content(first))
    assert ("", "") == capsys.readouterr()


def _truncate(target: Path) -> None:
    (target / "tool").write_text("to", encoding="utf-8")


def _replace(target: Path) -> None:
    (target / "tool").write_text("fool", encoding="utf-8")
    os.utime(target / "tool", ns=(1, 1))


def _remove(target: Path) -> None:
    (target / "lib" / "part").unlink()


def _garble(target: Path) -> None:
    target.with_name("tool-1.json").write_text('{"files": ', encoding="utf-8")


def _forget(target: Path) -> None:
    target.with_name("tool-1.json").unlink()


def _empty(target: Path) -> None:
    target.with_name("tool-1.json").write_text(json.dumps({"files": {}}), encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (_truncate, "the size of tool is not the recorded one"),
        (_replace, "the checksum of tool is not the recorded one"),
        (_remove, "lib/part is missing"),
        (_garble, "its record cannot be read"),
        (_forget, "its record is missing"),
        (_empty, "it is empty"),
    ],
)
def test_damage_is_noticed_and_repaired(
    cache: Cache, capsys: pytest.CaptureFixture[str], damage: Callable[[Path], None], reason: str
) -> None:
    """A damaged artefact is named with its fault in one line and obtained again."""
    source = Source()
    target = cache.obtain("tool-1", source)
    damage(target)

    cache.obtain("tool-1", source)

    assert (2, WHOLE) == (source.calls, _content(target))
    assert f"warden: {target} is damaged ({reason}) and is obtained again\n" == capsys.readouterr().err


def test_touched_but_equal_file_is_whole(cache: Cache) -> None:
    """Another modification time alone, as after copying a cache, is no damage."""
    source = Source()
    target = cache.obtain("tool-1", source)
    os.utime(target / "tool", ns=(1, 1))

    cache.obtain("tool-1", source)

    assert source.calls == 1


def test_failure_leaves_nothing_behind(cache: Cache) -> None:
    """When the source fails neither files nor a record stay, and a later try starts afresh."""

    def broken(directory: Path) -> None:
        (directory / "half").write_text("half", encoding="utf-8")
        raise ToolchainError("no network")

    with pytest.raises(ToolchainError, match=r"^no network$"):
        cache.obtain("tool-1", broken)

    assert [cache.root / "tool-1.lock"] == list(cache.root.iterdir())
    assert WHOLE == _content(cache.obtain("tool-1", Source()))


def test_what_is_refused_leaves_nothing_behind(cache: Cache) -> None:
    """Files with other sums than those that are pinned are not kept."""
    with pytest.raises(ToolchainError, match=r"^not as pinned$"):
        cache.obtain("tool-1", Source(), lambda sums: "not as pinned")

    assert [cache.root / "tool-1.lock"] == list(cache.root.iterdir())


def test_leftover_of_a_killed_process_is_removed(cache: Cache) -> None:
    """A half-filled directory of a process that was killed does not get into the artefact."""
    (cache.root / "tool-1.part").mkdir(parents=True)
    (cache.root / "tool-1.part" / "half").write_text("half", encoding="utf-8")

    assert WHOLE == _content(cache.obtain("tool-1", Source()))


def test_cache_that_cannot_be_written(tmp_path: Path) -> None:
    """A cache directory that is a file is one sentence that names the variable."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    cache = Cache.from_environment({"WARDEN_CACHE": str(tmp_path / "file" / "cache")})

    with pytest.raises(ToolchainError) as caught:
        cache.obtain("tool-1", Source())

    assert str(caught.value) == (
        f"the cache directory {tmp_path}/file/cache cannot be used (Not a directory): "
        "delete it, or set WARDEN_CACHE to a directory that can be written"
    )


@pytest.mark.parametrize(
    ("environ", "root"),
    [
        ({"WARDEN_CACHE": "/a", "XDG_CACHE_HOME": "/b"}, Path("/a")),
        ({"XDG_CACHE_HOME": "/b"}, Path("/b/warden")),
        ({"WARDEN_CACHE": ""}, Path("~/.cache/warden").expanduser()),
        ({}, Path("~/.cache/warden").expanduser()),
    ],
)
def test_place(environ: dict[str, str], root: Path) -> None:
    """WARDEN_CACHE goes before XDG_CACHE_HOME, and empty means not set."""
    assert root == Cache.from_environment(environ).root
