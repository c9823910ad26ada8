"""Known vulnerabilities are found, and nothing seen is never clean."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.tools.audit.conftest import Database
from tools.audit.__main__ import NOT_RUN, command
from tools.toolchain import versions
from warden.base.errors import ConfigurationError
from warden.base.toolchain.cache import Cache

pytestmark = pytest.mark.process

PURLS = (
    "pkg:golang/github.com/open-policy-agent/opa@v1.22.0",
    "pkg:maven/org.apache.kafka/kafka-clients@4.4.0",
    "pkg:pypi/requests@2.34.2",
    "pkg:pypi/aiohttp@3.14.5",
    "pkg:generic/adoptium/temurin-jre@17",
)


@pytest.fixture
def sbom(tmp_path: Path) -> Path:
    """A document with a package of each kind, and one that only tests have."""
    parts = [{"name": purl.split("/")[-1].split("@")[0], "version": "1", "purl": purl} for purl in PURLS]
    parts.append({"name": "requests", "scope": "excluded", "purl": "pkg:pypi/requests@1.0"})
    file = tmp_path / "sbom.json"
    file.write_text(json.dumps({"components": parts}))
    return file


@pytest.fixture
def scanner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have OSV-Scanner, where it has been built: that takes minutes."""
    name = f"osv-scanner-{versions.OSV_SCANNER}-{os.uname().sysname}-{os.uname().machine}".lower()
    directory = Cache.from_environment(os.environ).root / name
    if not (directory / "osv-scanner").is_file():
        pytest.skip("OSV-Scanner is not built: `python -m tools.toolchain osv-scanner` does that, in some minutes")
    monkeypatch.setenv("PATH", f"{directory}:{os.environ['PATH']}")


def _audit(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [*map(str, arguments)], catch_exceptions=False, standalone_mode=False)


@pytest.mark.usefixtures("scanner")
def test_what_is_known_is_found(sbom: Path, database: Database) -> None:
    """In each ecosystem, with names in full and versions compared as each compares them."""
    done = _audit("--database", database("9.0.0"), sbom)

    lines = done.stdout.splitlines()
    compared = [line.partition(" advisories, the newest of 2026-01-02T03:04:05Z, sha256:")[0] for line in lines[:3]]
    assert [f"compared with {name}: 1" for name in ("Go", "Maven", "PyPI")] == compared
    assert [
        "not compared, since OSV has no list of such: temurin-jre 1",
        "not compared, since only tests or builds have them: 1 components",
        "github.com/open-policy-agent/opa 1.22.0: TEST-Go, CVE-Go: made up for Go",
        "org.apache.kafka:kafka-clients 4.4.0: TEST-Maven, CVE-Maven: made up for Maven",
        "requests 2.34.2: TEST-PyPI, CVE-PyPI: made up for PyPI",
        "3 of 4 packages (1 of Go, 1 of Maven, 2 of PyPI) have known vulnerabilities",
    ] == lines[3:]
    assert done.return_value == 1


@pytest.mark.usefixtures("scanner")
def test_nothing_known_is_clean(sbom: Path, database: Database) -> None:
    """Where everything was looked up, and nothing is affected."""
    done = _audit("--database", database("1.0.0"), sbom)

    assert "0 of 4 packages (1 of Go, 1 of Maven, 2 of PyPI) have known vulnerabilities" == done.stdout.splitlines()[-1]
    assert done.return_value == 0


@pytest.mark.usefixtures("scanner")
def test_a_service_that_is_out_of_reach(sbom: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither clean nor found: everything else than OSV's answer is that it did not run."""
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    done = _audit(sbom)

    assert (NOT_RUN, "", True) == (
        done.return_value,
        done.stdout,
        done.stderr.startswith("not run: OSV-Scanner ended "),
    )


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda file: file.unlink(), "is not an archive of OSV's advisories: FileNotFoundError"),
        (lambda file: file.write_bytes(b"<html>"), "is not an archive of OSV's advisories: BadZipFile"),
        (lambda file: file.write_bytes(b"PK\5\6" + b"\0" * 18), "has no advisory about Maven"),
        (lambda file: file.write_bytes((file.parents[1] / "Go/all.zip").read_bytes()), "has no advisory about Maven"),
    ],
)
def test_a_damaged_database(sbom: Path, database: Database, damage, message) -> None:
    """An archive that is missing, cut, empty or another's: the scanner takes two of these without a word."""
    directory = database("9.0.0")
    damage(directory / "Maven/all.zip")
    done = _audit("--database", directory, sbom)

    assert (NOT_RUN, "") == (done.return_value, done.stdout)
    assert done.stderr.startswith("not run: ")
    assert message in done.stderr


REPORTS = {
    "nothing": ("echo '{\"results\": []}'", "OSV-Scanner did not look up 4 of 4 packages: github.com/open-policy"),
    "a name without its group": (
        """echo '{"results": [{"packages": [
            {"package": {"ecosystem": "Maven", "name": "kafka-clients", "version": "4.4.0"}},
            {"package": {"ecosystem": "Go", "name": "github.com/open-policy-agent/opa", "version": "v1.22.0"}},
            {"package": {"ecosystem": "PyPI", "name": "Requests", "version": "2.34.2"}},
            {"package": {"ecosystem": "PyPI", "name": "aiohttp", "version": "3.14.5"}}]}]}'""",
        "OSV-Scanner did not look up 1 of 4 packages: org.apache.kafka:kafka-clients 4.4.0",
    ),
    "no document": ("echo hello", "OSV-Scanner's report cannot be read: JSONDecodeError"),
    "no packages": ("exit 128", "OSV-Scanner ended with status 128: it said nothing"),
    "a crash": ("echo oh no >&2; kill -9 $$", "OSV-Scanner ended with status -9: oh no"),
}


@pytest.mark.parametrize("report", REPORTS)
def test_a_scanner_that_saw_less(report: str, sbom: Path, database: Database, tmp_path: Path, monkeypatch) -> None:
    """A report without every package, or none, is no report, whatever its exit status."""
    script, message = REPORTS[report]
    program = tmp_path / "bin/osv-scanner"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    done = _audit("--database", database("9.0.0"), sbom)

    assert (NOT_RUN, "") == (done.return_value, done.stdout)
    assert message in done.stderr


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"components": []}', '{"components": [{"purl": "requests"}]}'])
def test_no_sbom(text: str, tmp_path: Path) -> None:
    """What names no package is an error of who calls."""
    (tmp_path / "sbom.json").write_text(text)
    with pytest.raises(ConfigurationError, match="SBOM"):
        _audit(tmp_path / "sbom.json")
