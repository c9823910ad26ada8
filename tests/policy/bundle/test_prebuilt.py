"""A package that brings its bundle along: it is what a build makes, is taken for that content alone, and is signed."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.base.errors import BundleError
from warden.base.resources import find_shipped
from warden.base.toolchain import versions
from warden.policy.bundle.signing import SigningKey
from warden.policy.bundle.unsigned import read_bundle_revision
from warden.policy.bundle.verify import verify_bundle

pytestmark = [pytest.mark.opa, pytest.mark.slow]

_COUNT = """
import json, sys
started = []
sys.addaudithook(lambda event, given: started.append(list(map(str, given[1]))) if event == "subprocess.Popen" else None)
from warden.commands import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    print(json.dumps({"status": ended.code, "started": started}), file=sys.__stderr__)
"""
# Whether a bundle of these sources is taken or built shows in the first program that is started for it.
_CASES = """
import json, shutil, sys
from pathlib import Path
from warden.base.resources import find_shipped
from warden.base.toolchain import versions
from warden.policy.bundle import sources
from warden.policy.bundle.build import build_bundle
from warden.policy.bundle.contents import PolicySelection

class Started(Exception):
    pass

def see(event, given):
    if event == "subprocess.Popen" and str(given[1][1]) != "version":
        raise Started("taken" if "sign" in given[1] and str(given[1][-1]).endswith(".tar.gz") else "built")

scratch = Path(sys.argv[1])
opa = scratch / "other/opa"
opa.write_text("#!/bin/sh\\necho Version: 1.0.0\\n")
opa.chmod(0o755)
policies, results = scratch / "policies", {}
shutil.copytree(find_shipped("policies"), policies)
sys.addaudithook(see)

def case(name, **more):
    try:
        build_bundle(scratch / "bundle.tar.gz", **more)
    except Started as started:
        results[name] = str(started)

def change(path, content):
    kept = path.read_bytes()
    path.write_bytes(content(kept))
    return lambda: path.write_bytes(kept)

def append(content):
    return content + b"\\n"

case("the same")
case("the same policies elsewhere", policies=policies)
change(policies / "kafka/lists/lists.rego", append)
case("a policy", policies=policies)
case("settings", settings=scratch / "settings.yaml")
case("a profile", profile="starter")
case("a site", site=[scratch / "site"])
case("a number", number=1)
case("a part", policies=PolicySelection(find_shipped("policies"), "placement"))
case("another OPA", opa=opa)
for name, path in {
    "shipped settings": find_shipped("bundle") / "settings/data.yaml",
    "a catalogue": next((find_shipped("bundle") / "catalog").rglob("data.yaml")),
    "what makes it": Path(sources.__file__),
}.items():
    restore = change(path, append)
    case(name)
    restore()
sources.__version__, kept = "0.0.0", sources.__version__
case("another version")
sources.__version__, versions.OPA = kept, "0.0.0"
case("another pinned OPA", opa=Path(sys.argv[3]))
versions.OPA = sys.argv[2]
(bundle,) = find_shipped("prebuilt").glob("*.tar.gz")
for name, content in {"cut off": lambda kept: kept[:-1], "changed": lambda kept: kept[:-1] + b"x"}.items():
    restore = change(bundle, content)
    case(name)
    restore()
case("the same again")
print(json.dumps(results))
"""


@pytest.fixture(scope="module")
def package(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a package as it is installed, with the bundle of its shipped settings."""
    root = tmp_path_factory.mktemp("package")
    left_out = shutil.ignore_patterns("__pycache__", "*_test.rego")
    shutil.copytree(CHECKOUT / "glue/warden", root / "warden", ignore=left_out)
    for name in ("bundle", "policies", "schemas"):
        shutil.copytree(find_shipped(name), root / "warden/_share" / name, ignore=left_out)
    shutil.copytree(CHECKOUT / "deploy", root / "warden/_share/deploy")
    run(root, root.parent, "-m", "tools.one_file.prebuild", root / "warden/_share/prebuilt", WARDEN_OPA=opa_binary)
    return root


def run(root: Path, cwd: Path, *arguments: str | Path, **variables: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Python with the package."""
    environment = {**os.environ, "PYTHONPATH": str(root), **{name: str(value) for name, value in variables.items()}}
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done


def read_bundle(path: Path) -> dict[str, bytes]:
    """Return the files of a bundle by name, but its signature."""
    with tarfile.open(path) as archive:
        files = {member.name: archive.extractfile(member) for member in archive}
        return {name: file.read() for name, file in files.items() if file and name != "/.signatures.json"}


def test_it_is_what_a_build_makes(package: Path, opa_binary: Path, tmp_path: Path) -> None:
    """File by file, with the same revision; it is signed with the user's key, and with no other."""
    taken, built = tmp_path / "taken.tar.gz", tmp_path / "built.tar.gz"
    kept = package / "warden/_share/prebuilt"
    build = ("-m", "warden", "bundle", "build", "--output")
    run(package, tmp_path, *build, taken, WARDEN_CACHE=tmp_path / "one", WARDEN_OPA=opa_binary)
    kept.rename(tmp_path / "prebuilt")
    run(package, tmp_path, *build, built, WARDEN_CACHE=tmp_path / "two", WARDEN_OPA=opa_binary)
    (tmp_path / "prebuilt").rename(kept)

    assert read_bundle(built) == read_bundle(taken)
    assert read_bundle_revision(built) == read_bundle_revision(taken)
    verify_bundle(opa_binary, taken, SigningKey(tmp_path / "one/bundle-signing.key", "HS256"))
    with pytest.raises(BundleError, match="its signature is not good"):
        verify_bundle(opa_binary, taken, SigningKey(tmp_path / "two/bundle-signing.key", "HS256"))


def test_a_first_use_builds_nothing(package: Path, opa_binary: Path, tmp_path: Path) -> None:
    """OPA says its version, signs, and decides; the second time it decides, and that is all."""
    (tmp_path / "a.yaml").write_text("topic: shop.a\n", encoding="utf-8")

    def calls() -> tuple[int, list[str]]:
        said = run(package, tmp_path, "-c", _COUNT, "check", "a.yaml", WARDEN_CACHE=tmp_path, WARDEN_OPA=opa_binary)
        found: dict[str, Any] = json.loads(said.stderr.splitlines()[-1])
        words = {"build", "eval", "inspect", "parse", "run", "sign", "version"}
        return found["status"], [next(word for word in command if word in words) for command in found["started"]]

    assert (1, ["version", "sign", "run"]) == calls()
    assert (1, ["run"]) == calls()


def test_other_content_is_built(package: Path, opa_binary: Path, tmp_path: Path) -> None:
    """Whatever it is made of counts; a damaged one is passed over."""
    (tmp_path / "settings.yaml").write_text("rules: {KFK-SIZ-001: {mode: warn}}\n", encoding="utf-8")
    (tmp_path / "site/site/rules").mkdir(parents=True)
    (tmp_path / "site/site/data.json").write_text("{}", encoding="utf-8")
    (tmp_path / "other").mkdir()

    found = run(
        package,
        tmp_path,
        "-c",
        _CASES,
        tmp_path,
        versions.OPA,
        opa_binary,
        WARDEN_CACHE=tmp_path / "cache",
        WARDEN_OPA=opa_binary,
    )

    assert 0 == found.returncode, found.stderr
    results = json.loads(found.stdout)
    same = {"the same", "the same policies elsewhere", "the same again"}
    others = {
        *("a policy", "settings", "a profile", "a site", "a number", "a part", "shipped settings", "a catalogue"),
        *("what makes it", "another OPA", "another version", "another pinned OPA", "cut off", "changed"),
    }
    assert dict.fromkeys(same, "taken") | dict.fromkeys(others, "built") == results
