"""What no service would take is refused before anything is sent; what no service answers is said to be that."""

import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.certificates import Authority
from tests.fixtures.http import Handler, served
from warden.base.errors import ConfigurationError, InputError, StoreError, WardenError
from warden.dynamic_clients import ClientConfigsAdmin
from warden.dynamic_clients.service import ConfigService

ASKING: list[Callable[..., Any]] = [
    lambda url, *login, **tls: ClientConfigsAdmin(url, *login, **tls).describe({"components": []}),
    lambda url, *login, **tls: ConfigService(url, *login, **tls).resolve({}, None, 0),
]


@pytest.mark.parametrize("component", [{"entityType": "user"}, {"entityType": "user", "matchType": "exactly"}])
def test_an_unknown_match_type(component: dict[str, Any]) -> None:
    """The types are named."""
    admin = ClientConfigsAdmin("http://127.0.0.1:9", "token")

    with pytest.raises(InputError, match=r"invalid matchType .*: expected one of exact, default, any"):
        admin.describe({"components": [component]})


def test_an_unknown_field_of_an_entity() -> None:
    """The fields are named."""
    admin = ClientConfigsAdmin("http://127.0.0.1:9", "token")

    with pytest.raises(InputError, match="invalid entity 'ip': expected one of user, clientId"):
        admin.alter([{"entity": {"ip": "::1"}, "ops": []}])


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda admin: admin.describe({}), r"the request .*'components'"),
        (lambda admin: admin.describe({"components": [3]}), "the request .*int"),
        (lambda admin: admin.alter([{"entity": {"user": "alice"}}]), r"the requests .*'ops'"),
        (lambda admin: admin.alter([{"entity": ["alice"], "ops": []}]), "the requests .*items"),
    ],
)
def test_requests_that_are_none(ask: Callable[[ClientConfigsAdmin], Any], said: str) -> None:
    """What is wrong is named, with an example."""
    with pytest.raises(InputError, match=rf"^{said}.*write as in [\[{{]"):
        ask(ClientConfigsAdmin("http://127.0.0.1:9", "token"))


class _Logins(Handler):
    """Keeps how callers log in, and decides nothing."""

    headers_of: list[str | None]
    clients_of: list[Any]

    def respond(self) -> None:
        self.body()
        self.headers_of.append(self.headers["Authorization"])
        if isinstance(self.connection, ssl.SSLSocket):
            certificate: Any = self.connection.getpeercert()
            self.clients_of.append(dict(pair for (pair,) in certificate["subject"]))
        self.answer(400, b'{"errorMessage": "no"}')


@pytest.mark.parametrize(("token", "sent"), [("token", "Bearer token"), (None, None)])
@pytest.mark.parametrize("ask", ASKING)
def test_a_netrc_is_ignored(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    ask: Callable[..., Any],
    token: str | None,
    sent: str | None,
) -> None:
    """Its entry for all hosts would replace the token, and be sent beside a certificate."""
    (tmp_path / "netrc").write_text("default login u password p\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setattr(_Logins, "headers_of", [], raising=False)

    with served(_Logins) as url, pytest.raises(WardenError, match="answered 400: no"):
        ask(url, token)

    assert [sent] == _Logins.headers_of


@pytest.mark.process
@pytest.mark.parametrize("ask", ASKING)
def test_a_certificate_in_place_of_a_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ask: Callable[..., Any]
) -> None:
    """The service sees whose it is, and no header."""
    authority = Authority(tmp_path)
    certificate, key = authority.issue("service", "/CN=service", "subjectAltName=IP:127.0.0.1")
    client = authority.issue("admin", "/CN=admin", "extendedKeyUsage=clientAuth")
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(authority.certificate))
    tls.verify_mode = ssl.CERT_REQUIRED
    tls.load_cert_chain(certificate, key)
    for name in ("headers_of", "clients_of"):
        monkeypatch.setattr(_Logins, name, [], raising=False)

    with served(_Logins, tls) as url, pytest.raises(WardenError, match="answered 400: no"):
        ask(url, verify=str(authority.certificate), certificate=tuple(map(str, client)))

    assert ([None], [{"commonName": "admin"}]) == (_Logins.headers_of, _Logins.clients_of)


@pytest.mark.parametrize(("status", "content"), [(502, b"<html>"), (200, b"")])
@pytest.mark.parametrize("ask", ASKING)
def test_an_answer_of_something_else(ask: Callable[[str], Any], status: int, content: bytes) -> None:
    """What a proxy says in place of the service has its status: the address was reached."""

    class _Proxy(Handler):
        def respond(self) -> None:
            self.answer(status, content)

    with served(_Proxy) as url, pytest.raises(StoreError, match=f"^{url}/.* answered {status}, and no JSON: is it"):
        ask(url)


@pytest.mark.parametrize("content", [b'{"errorMessage": "no"}', b"<html>"])
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InputError),
        (401, ConfigurationError),
        (403, ConfigurationError),
        (404, ConfigurationError),
        (408, StoreError),
        (413, InputError),
        (429, StoreError),
        (500, StoreError),
        (503, StoreError),
    ],
)
@pytest.mark.parametrize("ask", ASKING)
def test_what_may_be_tried_again(ask: Callable[..., Any], status: int, kind: type[WardenError], content: bytes) -> None:
    """A service that has too much to do is not a request that is wrong; it says when to come again."""

    class _Service(Handler):
        def respond(self) -> None:
            self.answer(status, content, {"Retry-After": "7"})

    with served(_Service) as url, pytest.raises(WardenError, match=f"answered {status}[:,] ") as raised:
        ask(url, "token")
    assert kind is type(raised.value)
    if isinstance(raised.value, StoreError):
        assert (status, 7.0) == (raised.value.status, raised.value.retry_after)


@pytest.mark.parametrize(
    "content", ["{}", "[]", "3", '{"entries": 3}', '{"entries": [3], "errorCode": 0}', '{"entries": []}']
)
def test_json_of_something_else(content: str) -> None:
    """Nothing is taken for a decision; one that is left out is not taken for allowed."""

    class _Other(Handler):
        def respond(self) -> None:
            self.answer(200, content.encode())

    with served(_Other) as url:
        for ask in (
            lambda admin: admin.describe({"components": []}),
            lambda admin: admin.alter([{"entity": {"user": "alice"}, "ops": []}]),
        ):
            with pytest.raises(
                StoreError, match=f"^{url}/.* answered with JSON of something else: is it the service's"
            ):
                ask(ClientConfigsAdmin(url, "token"))


@pytest.mark.parametrize("kind", [ClientConfigsAdmin, ConfigService])
def test_what_cannot_be_sent(kind: type[Any]) -> None:
    """An address, a token or files that cannot be one are said at once, the token without itself."""
    for url in ("nonsense", "http://[::1", "http://a b", "ftp://configs.example", None):
        with pytest.raises(
            ConfigurationError, match=r"^invalid address of warden serve .*: expected one such as https://"
        ):
            kind(url, "token")
    for token in ("one\ntwo", "€"):
        with pytest.raises(ConfigurationError, match=r"^the token for warden serve has a line end, ") as raised:
            kind("https://configs.example", token)
        assert token not in str(raised.value)
    with pytest.raises(ConfigurationError, match=r"^the token for warden serve is of type bytes: give a string$"):
        kind("https://configs.example", b"token")
    for certificate in ("tls.pem", ("tls.crt",), ("tls.crt", 5)):
        with pytest.raises(ConfigurationError, match=r"^certificate is .*: give two files, the certificate and its"):
            kind("https://configs.example", certificate=certificate)


@pytest.mark.parametrize("ask", ASKING)
def test_a_password_in_an_address(ask: Callable[..., Any]) -> None:
    """It logs in, and is in no error: wrong address, nobody there, no JSON, JSON of something else, a refusal."""

    class _Service(Handler):
        def respond(self) -> None:
            self.answer(*answers.pop(0))

    answers = [(200, b"<html>"), (200, b"{}"), (503, b'{"errorMessage": "no"}')]
    with served(_Service) as url:
        wrong, away = "ftp://alice:s3k@ret@configs.example", "http://alice:s3k%40ret@127.0.0.1:1"
        for address in (wrong, away, *[url.replace("//", "//alice:s3k%40ret@")] * 3):
            with pytest.raises(WardenError, match=r"//(configs\.example|127\.0\.0\.1)") as raised:
                ask(address)
            assert ("s3k" in str(raised.value), "alice" in str(raised.value)) == (False, False)


def test_nobody_answers() -> None:
    """The system's words say why; a file of certificates that is not there is named."""
    with pytest.raises(
        StoreError, match=r"resolve cannot be reached: Connection refused: check that warden serve runs"
    ) as raised:
        ConfigService("http://127.0.0.1:1").resolve({}, None, 0)
    assert (None, None) == (raised.value.status, raised.value.retry_after)
    with pytest.raises(StoreError, match=r"resolve cannot be reached: .*none\.pem: name one that is there$"):
        ConfigService("https://127.0.0.1:1", verify="none.pem").resolve({}, None, 0)


@pytest.mark.parametrize("value", [float("nan"), {1}])
def test_a_request_that_json_has_no_form_for(value: object) -> None:
    """It is the request that is wrong, and not the service that is away."""
    with pytest.raises(InputError, match=r"^the request cannot be written as JSON"):
        ClientConfigsAdmin("http://127.0.0.1:1", "token").alter([{"entity": {"user": "a"}, "ops": [{"value": value}]}])
