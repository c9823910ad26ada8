"""A cache of its own for every test, so that no test signs with the key of whoever runs it."""

from pathlib import Path

import pytest
import yaml

from warden.policy.bundle import Bundle, build_bundle


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory that stands in for the user's cache."""
    directory = tmp_path / "cache"
    monkeypatch.setenv("WARDEN_CACHE", str(directory))
    return directory


@pytest.fixture(scope="session")
def shipped(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Return the bundle of this checkout, with the settings that ship."""
    directory = tmp_path_factory.mktemp("shipped")
    key = directory / "key"
    key.write_text("secret", encoding="utf-8")
    from warden.policy.bundle import SigningKey

    return build_bundle(directory / "bundle.tar.gz", key=SigningKey(key, "HS256"), opa=opa_binary)


@pytest.fixture
def settings_file(tmp_path: Path):
    """Return a function that writes settings, as text or as a document, to a file."""

    def write(content: object) -> Path:
        path = tmp_path / "settings.yaml"
        path.write_text(content if isinstance(content, str) else yaml.safe_dump(content), encoding="utf-8")
        return path

    return write
