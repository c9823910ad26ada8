"""Addresses and tokens that cannot be sent are found before anything is; a failure has the system's own words."""

from pathlib import Path

import pytest
import requests

from tests.fixtures.http import Handler, served
from warden.base.errors import ConfigurationError
from warden.base.http.calls import AuthorizationHeader, build_bearer_header, describe_cause, is_http_address


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8181", "https://opa", "HTTP://opa/", "http://[::1]:8181/v1/data", "http://bücher.example"]
)
def test_an_address(url: str) -> None:
    """Names, addresses of both families, with a port or a path, or without."""
    assert is_http_address(url)


@pytest.mark.parametrize(
    "url",
    [
        *("", "nonsense", "http://", "https:///data", "ftp://opa", "localhost:8181"),
        *(
            "http://[::1",
            "http://a b",
            "http://opa:8181\n",
            "http://*",
            "http://.opa",
            "http://opa:99999",
            "http://hooks..opa",
            f"http://{'a' * 64}.opa",
            "http://\ud800",
        ),
    ],
)
def test_no_address(url: str) -> None:
    """What no library could send a request to."""
    assert not is_http_address(url)


@pytest.mark.parametrize("token", ["one\ntwo", "one\r", "tök", "€", "\x00", "s3cret ", " s3cret"])
def test_a_token_that_no_header_holds(token: str) -> None:
    """It is said whose it is; the token itself is in no text."""
    with pytest.raises(
        ConfigurationError, match=r"^OPA's token has a line end, a blank at its edge, or a character beyond ASCII: "
    ) as raised:
        build_bearer_header(token, "OPA's token")

    assert token not in str(raised.value)
    assert "Bearer s3cret" == build_bearer_header("s3cret", "OPA's token")


@pytest.mark.parametrize("token", [5, b"s3cret", None])
def test_a_token_that_is_no_string(token: object) -> None:
    """Python's own words would say nothing of the token."""
    with pytest.raises(ConfigurationError, match=rf"^OPA's token is of type {type(token).__name__}: give a string$"):
        build_bearer_header(token, "OPA's token")


def test_a_cause() -> None:
    """Below requests and urllib3 is the system, which says what is wrong in two words."""
    with pytest.raises(requests.ConnectionError) as raised:
        requests.get("http://127.0.0.1:1", timeout=9)

    assert "Connection refused" == describe_cause(raised.value)
    assert "TimeoutError" == describe_cause(TimeoutError())


@pytest.mark.parametrize(
    ("header", "login", "sent"),
    [
        ("Bearer t", "", "Bearer t"),
        ("Bearer t", "a:b@", "Bearer t"),
        (None, "", None),
        (None, "a:b%20c@", "Basic YTpiIGM="),
        (None, "a@", None),
    ],
)
def test_a_netrc_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, header: str | None, login: str, sent: str | None
) -> None:
    """What is configured is sent; else the address's own name and password, and those of no file beside it."""
    (tmp_path / "netrc").write_text("default login u password p\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    received: list[str | None] = []

    class _Server(Handler):
        def respond(self) -> None:
            received.append(self.headers["Authorization"])
            self.answer(200)

    with served(_Server) as url:
        requests.get(url.replace("//", f"//{login}"), auth=AuthorizationHeader(header), timeout=9)

    assert [sent] == received
