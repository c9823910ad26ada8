"""A bundle is built once for what it is made of, and taken from the cache after that."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from warden.base.resources import find_shipped
from warden.policy.bundle import assemble
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.bundle.cache import RememberedBundles, compute_hash
from warden.policy.bundle.signing import SigningKey

pytestmark = [pytest.mark.opa, pytest.mark.slow]

Build = Callable[..., tuple[Bundle, bool]]


@pytest.fixture
def built(tmp_path: Path, opa_binary: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Builds a bundle with a cache of this test's own; tells whether it was built: the first by OPA, others in name."""
    monkeypatch.setenv("WARDEN_CACHE", str(tmp_path / "cache"))
    runs: list[object] = []
    original = assemble.assemble_bundle

    def counted(output: Path, sources: Any, checked: Any) -> dict[str, Any]:
        runs.append(sources)
        if len(runs) == 1:
            return original(output, sources, checked)
        output.write_bytes(f"bundle {len(runs)}".encode() * 100)
        return {"revision": str(len(runs)), "deprecations": []}

    monkeypatch.setattr(assemble, "assemble_bundle", counted)

    def make(**more: Any) -> tuple[Bundle, bool]:
        before = len(runs)
        return build_bundle(tmp_path / "out" / "bundle.tar.gz", opa=opa_binary, **more), len(runs) > before

    return make


def test_the_second_time(built: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same file, revision and warnings, without building; with any other ingredient it is another bundle."""
    settings, policies, site = tmp_path / "settings.yaml", tmp_path / "policies", tmp_path / "mine"
    settings.write_text("policies: {create.topic.policy: site.legacy.create_topic}\n")
    shutil.copytree(find_shipped("policies"), policies)
    (site / "site/rules").mkdir(parents=True)
    (site / "site/data.json").write_text('{"teams": ["a"]}')
    given: dict[str, Any] = {"settings": settings, "policies": policies, "site": [site], "number": 1}
    lists = policies / "kafka/lists/lists.rego"
    first, built_first = built(**given)
    content, warnings = first.path.read_bytes(), capsys.readouterr().err
    first.path.unlink()

    again, built_again = built(**given)
    assert (True, False) == (built_first, built_again)
    assert (first.revision, content) == (again.revision, again.path.read_bytes())
    assert warnings == capsys.readouterr().err

    key = tmp_path / "key"
    key.write_text("another secret of some length")
    changes: list[tuple[Callable[[], object], dict[str, Any]]] = [
        (lambda: settings.write_text(settings.read_text() + "rules: {KFK-SIZ-001: {mode: warn}}\n"), {}),
        (lambda: lists.write_bytes(lists.read_bytes() + b"\n"), {}),
        (lambda: (site / "site/data.json").write_text('{"teams": ["b"]}'), {}),
        (lambda: (site / "site/more.json").write_text("{}"), {}),
        (lambda: None, {"number": 2}),
        (lambda: None, {"profile": "starter"}),
    ]
    for change, more in changes:
        change()
        assert built(**{**given, **more})[1]
    assert built(**given, key=SigningKey(key, "HS256"))[1]


def test_settings_that_name_another_file(built: Build, tmp_path: Path) -> None:
    """What such a bundle is made of is not all known: it is built each time."""
    settings = tmp_path / "settings.yaml"
    settings.write_text("# no jwksFile\n")
    assert [True, True] == [built(settings=settings)[1] for _ in range(2)]


def test_a_cache_that_is_not_believed(built: Build, tmp_path: Path) -> None:
    """Damaged, cut off, of another content than noted, or open to others: the bundle is built anew."""
    assert built()[1]
    directory = tmp_path / "cache" / "bundles"
    (note,) = directory.glob("*.json")
    (bundle,) = directory.glob("*.tar.gz")
    assert not built()[1]
    kept = note.read_text()
    spoils: list[Callable[[], object]] = [
        lambda: note.write_text("{"),
        lambda: note.write_text("[]"),
        lambda: note.write_text(json.dumps({**json.loads(kept), "sha256": "0"})),
        lambda: bundle.write_bytes(bundle.read_bytes()[:100]),
        bundle.unlink,
        lambda: directory.chmod(0o777),
        lambda: note.chmod(0o666),
    ]
    for spoil in spoils:
        spoil()
        assert built()[1]
        directory.chmod(0o700)
        note.chmod(0o600)
        assert not built()[1]


def test_what_was_used_longest_ago_is_forgotten(tmp_path: Path) -> None:
    """The cache does not grow for ever."""
    bundles, file = RememberedBundles(tmp_path / "cache"), tmp_path / "file"
    for number in range(68):
        file.write_text(str(number))
        bundles.keep(f"k{number}", file, {"revision": str(number), "deprecations": []})
        os.utime(tmp_path / f"cache/k{number}.json", (number, number))
    kept = [number for number in range(68) if bundles.copy(f"k{number}", tmp_path / "out") is not None]
    assert kept == list(range(4, 68))
    assert 2 * 64 == len(list((tmp_path / "cache").iterdir()))


def test_hashes(tmp_path: Path) -> None:
    """Names and boundaries of files count, not only their text."""
    for name, files in {"a": {"x": "12", "y": ""}, "b": {"x": "1", "y": "2"}, "c": {"x": "12", "z": ""}}.items():
        for file, text in files.items():
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / file).write_text(text)
    hashes = {compute_hash((), [tmp_path / name]) for name in "abc"}
    assert 3 == len(hashes | {compute_hash((), []), hashlib.sha256(b"").hexdigest()}) - 2
