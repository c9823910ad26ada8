"""OSV's archives, made up: one advisory for each ecosystem."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

Database = Callable[[str], Path]

AFFECTED = {
    "PyPI": ("requests", "ECOSYSTEM"),
    "Go": ("github.com/open-policy-agent/opa", "SEMVER"),
    "Maven": ("org.apache.kafka:kafka-clients", "ECOSYSTEM"),
}


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """Write archives whose advisories are about all versions below one."""

    def write(fixed: str) -> Path:
        for ecosystem, (name, kind) in AFFECTED.items():
            file = tmp_path / "osv" / ecosystem / "all.zip"
            file.parent.mkdir(parents=True, exist_ok=True)
            ranges = [{"type": kind, "events": [{"introduced": "0"}, {"fixed": fixed}]}]
            advisory = {
                "schema_version": "1.6.0",
                "id": f"TEST-{ecosystem}",
                "aliases": [f"CVE-{ecosystem}"],
                "modified": "2026-01-02T03:04:05Z",
                "summary": f"made up for {ecosystem}",
                "affected": [{"package": {"ecosystem": ecosystem, "name": name}, "ranges": ranges}],
            }
            with zipfile.ZipFile(file, "w") as archive:
                archive.writestr(f"TEST-{ecosystem}.json", json.dumps(advisory))
        return tmp_path / "osv"

    return write
