"""A program is run for its version once for as long as its file stays what it is."""

from pathlib import Path

import pytest

from warden.base.toolchain import versions
from warden.base.toolchain.opa import _find_version, read_opa_version

pytestmark = pytest.mark.process


@pytest.fixture
def opa(tmp_path: Path) -> Path:
    """A program that writes down each run."""
    path = tmp_path / "opa"
    path.write_text(f"#!/bin/sh\necho run >>{tmp_path}/runs\necho Version: {versions.OPA}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def ask(opa: Path, cache: Path) -> tuple[str | None, int]:
    """Return the version, as a new process does, and how often the program has been run."""
    _find_version.cache_clear()
    version = read_opa_version(opa, {"WARDEN_CACHE": str(cache)})
    return version, len((opa.parent / "runs").read_text(encoding="utf-8").splitlines())


def test_it_is_run_once(opa: Path, tmp_path: Path) -> None:
    """Until its file changes, be it in its times alone, or the note is damaged."""
    cache = tmp_path / "cache"
    assert [(versions.OPA, 1)] * 2 == [ask(opa, cache) for _ in range(2)]

    opa.write_text(opa.read_text(encoding="utf-8").replace(versions.OPA, "1.0.0"), encoding="utf-8")
    assert [("1.0.0", 2)] * 2 == [ask(opa, cache) for _ in range(2)]

    opa.touch()
    assert ("1.0.0", 3) == ask(opa, cache)

    (note,) = cache.iterdir()
    note.write_text("[]", encoding="utf-8")
    assert [("1.0.0", 4)] * 2 == [ask(opa, cache) for _ in range(2)]


def test_what_others_may_write_is_not_believed(opa: Path, tmp_path: Path) -> None:
    """Neither the note nor the directory."""
    cache = tmp_path / "cache"
    ask(opa, cache)
    (note,) = cache.iterdir()
    note.chmod(0o666)
    assert (versions.OPA, 2) == ask(opa, cache)
    cache.chmod(0o777)
    assert [(versions.OPA, 3), (versions.OPA, 4)] == [ask(opa, cache) for _ in range(2)]


def test_where_nothing_can_be_written(opa: Path) -> None:
    """It is run each time."""
    assert [(versions.OPA, 1), (versions.OPA, 2)] == [ask(opa, Path("/proc/no-directory")) for _ in range(2)]


def test_a_program_without_a_version(tmp_path: Path) -> None:
    """Nothing is kept about it."""
    opa = tmp_path / "opa"
    opa.write_text("#!/bin/sh\necho hello\n", encoding="utf-8")
    opa.chmod(0o755)

    assert read_opa_version(opa, {"WARDEN_CACHE": str(tmp_path / "cache")}) is None
    assert not (tmp_path / "cache").exists()
