"""What cannot be fetched skips a test; what has another sum than the pinned one fails it."""

import os
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.fixtures import lakehouse
from tests.fixtures.run.unfetched import skip_unfetched
from warden.base.errors import ToolchainError


def _end(find: Callable[[Mapping[str, str]], object], environ: Mapping[str, str]) -> str:
    """What a test's end would be, and why."""
    try:
        with skip_unfetched():
            find(environ)
    except pytest.skip.Exception as skipped:
        return f"skipped: {skipped}"
    except ToolchainError as error:
        return f"failed: {error}"
    return "passed"


@pytest.mark.parametrize(("sum_of", "end"), [(None, "skipped: the jars of x cannot be"), (b"other", "failed: ")])
def test_jars(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sum_of: bytes | None, end: str) -> None:
    """Of a repository that has none, and of one that has another."""

    def resolve(directory: Path, *_arguments: object, **_options: object) -> None:
        if sum_of is None:
            raise ToolchainError("the jars of x cannot be fetched (no network): check the network")
        for name in lakehouse._SUMS:
            (directory / name).write_bytes(sum_of)

    monkeypatch.setattr(lakehouse, "resolve_jars", resolve)
    said = _end(lakehouse.find_lakehouse_jars, {"WARDEN_CACHE": str(tmp_path / "cache")})

    assert said.startswith(end)
    assert ("have not the SHA-256 sums pinned" in said) == (sum_of is not None)


@pytest.mark.process
@pytest.mark.parametrize("has_other", [False, True])
def test_a_package(tmp_path: Path, has_other: bool) -> None:
    """pip's own words: of an index without it, and of one that has another file of that name."""
    release = lakehouse._PACKAGE.split()[0].partition("==")[2]
    if has_other:
        with zipfile.ZipFile(tmp_path / f"pyspark-{release}-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"pyspark-{release}.dist-info/METADATA", f"Name: pyspark\nVersion: {release}\n")
    index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "WARDEN_CACHE": str(tmp_path / "cache")}
    said = _end(lakehouse.find_older_spark, {**os.environ, **index})

    other, none = (
        f"failed: PySpark {release} has not the SHA-256 sum",
        f"skipped: PySpark {release} for the tests cannot",
    )
    assert said.startswith(other if has_other else none), said
