"""OAUTHBEARER: tokens from a local identity provider, and a real broker that checks who signed them."""

import base64
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.brokers.oauth_broker import HANDLER, MODULE, TokenBroker, provider
from warden.base.errors import ConfigurationError, KafkaError
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.login.jaas import LoginModule
from warden.state.sources.kafka.login.oauth import OAuthTokens, build_token_source

ID, SECRET = "warden:1", "s3cret/+"


def properties(url: str, **others: str) -> dict[str, str]:
    """Kafka's properties for client credentials at a URL; `_` in a name stands for a dot."""
    oauth = "sasl.oauthbearer."
    given = {
        "sasl.login.callback.handler.class": HANDLER,
        f"{oauth}token.endpoint.url": url,
        f"{oauth}client.credentials.client.id": ID,
        f"{oauth}client.credentials.client.secret": SECRET,
    }
    return {**given, **{oauth + name.replace("_", "."): text for name, text in others.items()}}


def module(**options: str) -> LoginModule:
    """A login module with options."""
    return LoginModule("OAuthBearerLoginModule", options)


def test_client_credentials() -> None:
    """The form, the header and its encoding; the properties win over the older options of the module."""
    requested: list[tuple[Mapping[str, str], str]] = []

    def answer(form: Mapping[str, str], headers: Any) -> tuple[int, Any]:
        requested.append((form, base64.b64decode(headers["Authorization"].removeprefix("Basic ")).decode()))
        return 200, {"access_token": "t", "expires_in": 60}

    with provider(answer) as url:
        assert ("t", 60.0) == build_token_source(properties(url, scope="kafka"), module(clientId="x", scope="y"))()
        assert ("t", 60.0) == build_token_source(properties(url, header_urlencode="true"), module())()
        older = {name: text for name, text in properties(url).items() if "credentials" not in name}
        assert ("t", 60.0) == build_token_source(older, module(clientId="a", clientSecret="b", scope="c d"))()

    grant = {"grant_type": "client_credentials"}
    assert [
        (grant | {"scope": "kafka"}, f"{ID}:{SECRET}"),
        (grant, "warden%3A1:s3cret%2F%2B"),
        (grant | {"scope": "c d"}, "a:b"),
    ] == requested


def test_a_netrc_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its entry for all hosts would replace the client's id and secret."""
    (tmp_path / "netrc").write_text("default login u password p\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    requested: list[str] = []

    def answer(form: Mapping[str, str], headers: Any) -> tuple[int, Any]:
        requested.append(headers["Authorization"])
        return 200, {"access_token": "t"}

    with provider(answer) as url:
        build_token_source(properties(url), module())()

    assert [f"Basic {base64.b64encode(f'{ID}:{SECRET}'.encode()).decode()}"] == requested


@pytest.mark.parametrize(
    ("status", "document", "said"),
    [
        (401, {"error": "invalid_client"}, r"gives no token \(status 401: invalid_client\): check the client's id"),
        (200, {"token": "t"}, r"gives no token \(status 200\)"),
        (200, b"<html>", r"gives no token \(status 200\)"),
        pytest.param(200, b"[" * 90_000, r"gives no token \(status 200\)", id="nested too deeply"),
        (302, {}, r"gives no token \(status 302\)"),
    ],
)
def test_an_answer_without_a_token(status: int, document: Any, said: str) -> None:
    """The sentence has the provider's reason, and no secret."""
    with provider(lambda form, headers: (status, document)) as url:
        get = build_token_source(properties(url), module())
        with pytest.raises(KafkaError, match=said) as raised:
            get()
    assert SECRET not in str(raised.value)
    with pytest.raises(KafkaError, match="cannot be reached: Connection refused: check the address"):
        get()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sasl.oauthbearer.token.endpoint.url": ""}, "token.endpoint.url is missing: write the https address"),
        ({"sasl.oauthbearer.token.endpoint.url": "http://idp.example/t"}, "a secret goes there, so it must be https"),
        ({"sasl.oauthbearer.client.credentials.client.id": ""}, "client.credentials.client.id is missing"),
        (
            {"sasl.login.callback.handler.class": "io.example.X"},
            "io.example.X is not supported: set warden.token.command to a program that prints a token, or use org.",
        ),
        ({"sasl.login.callback.handler.class": ""}, "sasl.login.callback.handler.class is missing"),
        ({"sasl.login.read.timeout.ms": "soon"}, "sasl.login.read.timeout.ms is soon: write a number"),
        ({"sasl.oauthbearer.token.endpoint.url": "file:///no/such"}, "/no/such cannot be read"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, str], said: str) -> None:
    """Before a token is requested, but for a file's."""
    with pytest.raises(ConfigurationError, match=said):
        build_token_source({**properties("http://127.0.0.1:9/t"), **changes}, module())()


def test_a_token_is_renewed_before_it_ends(tmp_path: Path) -> None:
    """At 0.8 of its life, by the clock; a file is read each time, since another writes it."""
    now, lives = [0.0], iter([100.0, 100.0, 0.0, 0.0])
    made: list[float] = []

    def source() -> tuple[str, float]:
        made.append(now[0])
        return f"t{len(made)}", next(lives)

    tokens = OAuthTokens(source, lambda: now[0])
    got = []
    for now[0] in (0.0, 79.0, 80.0, 159.0, 160.0, 160.0):
        got.append(tokens.obtain_token())
    assert ["t1", "t1", "t2", "t2", "t3", "t4"] == got
    assert "t1" not in repr(tokens)

    path = tmp_path / "token"
    of_file = OAuthTokens(build_token_source(properties(path.as_uri()), module()))
    for text in ("one", "two\n"):
        path.write_text(text)
        assert text.strip() == of_file.obtain_token()


def test_a_token_is_used_to_its_end_while_the_provider_is_away() -> None:
    """It is requested again each time, and no ended token is given."""
    now, away, made = [0.0], [False], [0]

    def source() -> tuple[str, float]:
        made[0] += 1
        if away[0]:
            raise KafkaError("away")
        return f"t{made[0]}", 100.0

    tokens = OAuthTokens(source, lambda: now[0])
    assert "t1" == tokens.obtain_token()
    away[0] = True
    for now[0] in (80.0, 98.9):
        assert "t1" == tokens.obtain_token()
    now[0] = 99.0  # its last second may have ended already by its whole seconds
    with pytest.raises(KafkaError, match="away"):
        tokens.obtain_token()
    away[0] = False
    assert "t5" == tokens.obtain_token()


@pytest.mark.kafka
@pytest.mark.opa
def test_a_broker_that_checks_tokens(signed: TokenBroker) -> None:
    """It takes what the issuer of its keys signed, of its own audience; all else is refused in a sentence."""
    login = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "OAUTHBEARER"}
    login |= {"sasl.jaas.config": f"{MODULE} required;", **properties(signed.url)}
    with connect(signed.server, security=login, timeout=60) as connection:
        assert [] == connection.admin.list_topics()
    for changes in ({"kid": "b"}, {"aud": "other"}, {"exp": int(time.time()) - 60}):
        signed.changes = changes
        with pytest.raises(KafkaError, match="refused the login"):
            connect(signed.server, security=login, timeout=60)
    signed.changes = {}
    unsigned = {**login, "sasl.login.callback.handler.class": ""}
    unsigned["sasl.jaas.config"] = f'{MODULE} required unsecuredLoginStringClaim_sub="alice";'
    with pytest.raises(KafkaError, match="refused the login"):
        connect(signed.server, security=unsigned, timeout=60)
    nowhere = login | {"sasl.oauthbearer.token.endpoint.url": "http://127.0.0.1:9/token"}
    with pytest.raises(KafkaError, match=r"the identity provider at .* cannot be reached"):
        connect(signed.server, security=nowhere, timeout=60)
