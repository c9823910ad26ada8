"""One OPA or several: what a configuration file may say."""

from pathlib import Path

import pytest

from warden.base.errors import ConfigurationError
from warden.base.files.config_model import read_model
from warden.policy.failover.settings import FailoverSettings


def _read(directory: Path, text: str) -> FailoverSettings:
    (directory / "opa.yaml").write_text(text, encoding="utf-8")
    return read_model(directory / "opa.yaml", FailoverSettings, "YAML file with OPAs")


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("timeout: 1\n", ("http://127.0.0.1:8181",)),
        ("url: http://a:1/\n", ("http://a:1",)),
        ("urls: [http://a:1]\n", ("http://a:1",)),
        ("urls: [http://b:1/, https://a:1]\n", ("http://b:1", "https://a:1")),
    ],
)
def test_addresses(tmp_path: Path, text: str, addresses: tuple[str, ...]) -> None:
    """In the order of the file."""
    settings = _read(tmp_path, text)
    assert addresses == settings.addresses
    with settings.build_client() as client:
        assert addresses[0] == client.url


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("url: http://a:1\nurls: [http://b:1]\n", "write one of url, for one OPA, and urls, for several"),
        ("urls: [http://a:1, http://a:1/]\n", "urls names an OPA twice: give each its own address"),
        ("urls: []\n", "urls is empty: write a list of addresses such as http://127.0.0.1:8181"),
        ("urls: [ftp://a]\n", "is not valid: write http://127.0.0.1:8181"),
        ("urls: [http://u:secret@a:1]\n", "urls.0: "),
        ("behindSeconds: 0\n", "write a number of seconds, at least 1"),
    ],
)
def test_mistakes(tmp_path: Path, text: str, message: str) -> None:
    """Each is a line that says what to write."""
    with pytest.raises(ConfigurationError) as raised:
        _read(tmp_path, text)
    assert message in str(raised.value)
