"""The front before OPA: a real nginx with the configuration that ships, and a real OPA behind it."""

import gzip
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.deploy.front import Front
from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.fixtures.nginx_parts import find_nginx
from warden.base.errors import OpaInputTooLarge, OpaRefused, ToolchainError
from warden.policy.bundle.build import Bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.item_size import MAX_BODY_BYTES
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.tokens import generate_token

pytestmark = [pytest.mark.opa]

DECISION = "/v1/data/kafka/decision"
TOPIC = {"operation": "AuditTopic", "cluster": "c", "request": {"topic": "a"}}
JWT = "eyJhbGciOiJub25lIn0.e30.eA"


@pytest.fixture(scope="module")
def nginx() -> Path:
    """The program; without it all is skipped."""
    try:
        return find_nginx()
    except ToolchainError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def callers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the token of one caller."""
    directory = tmp_path_factory.mktemp("callers")
    (directory / "portal").write_text(generate_token() + "\n", encoding="ascii")
    return directory


@pytest.fixture(scope="module")
def front(nginx: Path, opa: LocalOpa, callers: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    """One that knows OPA's own tokens, a caller, and JWTs."""
    variables = {**opa.tokens.environment, "WARDEN_FRONT_CALLERS": str(callers), "WARDEN_FRONT_JWT": "yes"}
    with Front(nginx, opa.url, tmp_path_factory.mktemp("front"), variables) as running:
        yield running


def _portal(callers: Path) -> str:
    return (callers / "portal").read_text(encoding="ascii").strip()


def _body(size: int) -> bytes:
    return b'{"input":"' + b"a" * (size - 12) + b'"}'


def test_wardens_parts_pass(front: Front, opa: LocalOpa) -> None:
    """Through it a client gets the very decision that OPA gives, and may send what OPA reads."""
    with opa.build_client() as direct, OpaClient(f"http://127.0.0.1:{front.port}", token=opa.tokens.query) as client:
        assert direct.decide(TOPIC) == client.decide(TOPIC)
    assert 200 == front.ask("POST", "/v1/data/kafka/lists/check", opa.tokens.query, _body(MAX_BODY_BYTES))[0]
    assert 413 == front.ask("POST", "/v1/data/kafka/lists/check", opa.tokens.query, _body(MAX_BODY_BYTES + 1))[0]


def test_a_path_goes_on_as_it_was_sent(front: Front, opa: LocalOpa) -> None:
    """What is encoded stays so, and nothing is taken for another path: OPA decides whether it may be."""
    for path in ("/v1/data/clusters/a%2Fb/topics", "/v1/data/clusters/../settings?pretty", "/v1/data//clusters"):
        request = urllib.request.Request(f"{opa.url}{path}", headers={"Authorization": f"Bearer {opa.tokens.query}"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                direct = answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            direct = refused.code, refused.read().decode()
        assert direct == front.ask("GET", path, opa.tokens.query)


@pytest.mark.parametrize(
    ("token", "most"), [pytest.param("portal", 256 * 1024, id="caller"), pytest.param(JWT, 64 * 1024, id="jwt")]
)
def test_others_send_little(front: Front, callers: Path, token: str, most: int) -> None:
    """A caller's bodies, and less of one whose JWT nobody has verified; OPA knows neither, and answers what passes."""
    own = _portal(callers) if token == "portal" else token
    assert 401 == front.ask("POST", DECISION, own, _body(most))[0]
    assert 413 == front.ask("POST", DECISION, own, _body(most + 1))[0]


def test_nothing_packed(front: Front, opa: LocalOpa, callers: Path) -> None:
    """Nobody's, since no part of Warden packs what it sends."""
    packed = gzip.compress(b'{"input": {}}')
    for token in (opa.tokens.query, _portal(callers), JWT):
        assert 415 == front.ask("POST", DECISION, token, packed, {"Content-Encoding": "gzip"})[0]


def test_nobody_is_refused_before_the_body(front: Front) -> None:
    """The answer comes while no byte of the body has been sent."""
    for header in ("", "Authorization: Bearer x\r\n", "Authorization: Basic eDp5\r\n", "Authorization: Bearer a.b\r\n"):
        with socket.create_connection(("127.0.0.1", front.port), timeout=60) as connection:
            head = f"POST {DECISION} HTTP/1.1\r\nHost: a\r\n{header}Content-Length: 4000000\r\n\r\n"
            connection.sendall(head.encode())
            answer = connection.recv(65536)
        assert answer.startswith(b"HTTP/1.1 401 ")
        assert b"no valid token" in answer


def test_a_refusal_is_understood_by_the_client(front: Front) -> None:
    """As OPA's own: refused, not out of reach; too large, not refused."""
    address = f"http://127.0.0.1:{front.port}"
    with OpaClient(address, token="x") as client, pytest.raises(OpaRefused, match="no valid token"):
        client.decide(TOPIC)
    with OpaClient(address, token=JWT) as client, pytest.raises(OpaInputTooLarge, match="proxy"):
        client.decide({**TOPIC, "cluster": "c" * 100_000})


def test_health_alone_needs_no_token(front: Front) -> None:
    """And takes no body."""
    assert 200 == front.ask("GET", "/health?bundles")[0]
    assert [401] * 4 == [
        front.ask(*request)[0]
        for request in (("GET", "/health/live"), ("POST", "/health"), ("GET", "/metrics"), ("GET", "/healthy"))
    ]
    assert 413 == front.ask("GET", "/health", body=b"{}")[0]


def test_too_many_at_a_time(front: Front) -> None:
    """Who sends more than its share is refused for that, and says nothing of decisions."""
    with ThreadPoolExecutor(30) as pool:  # at once: on a slow machine others would come within their share
        eventually(
            lambda: 429 in {status for status, _ in pool.map(lambda _: front.ask("GET", "/health"), range(30))},
            "a rate that is refused",
        )


def test_too_many_jwts(front: Front, callers: Path) -> None:
    """Who sends more of them than its address may is refused for that, and nobody whose token is known."""
    with ThreadPoolExecutor(30) as pool:

        def ask_often(token: str) -> set[int]:
            return {status for status, _ in pool.map(lambda _: front.ask("POST", DECISION, token), range(150))}

        eventually(lambda: 429 in ask_often(JWT), "a rate that is refused")
        assert {401} == {front.ask("POST", DECISION, _portal(callers))[0] for _ in range(5)}


def test_a_token_is_taken_up(front: Front, callers: Path) -> None:
    """A new file is known without a restart, and one that is taken away is nobody's; a bad one changes nothing."""
    fresh = generate_token()
    assert 0 == _passes(front, fresh)
    (callers / "team").write_text(fresh, encoding="ascii")
    eventually(lambda: _passes(front, fresh), "the new token passes")
    (callers / "bad").write_text('x" part;', encoding="ascii")
    eventually(lambda: "has characters that no bearer token has" in front.log.read_text(encoding="utf-8"), "said")
    assert _passes(front, fresh)
    (callers / "bad").unlink()
    (callers / "team").unlink()
    eventually(lambda: not _passes(front, fresh), "the old token is refused")


def _passes(front: Front, token: str) -> int:
    """Whether a request reaches OPA, which does not know the token either and says so in its own words."""
    return int('"team' in (text := front.ask("POST", DECISION, token, b"{}")[1]) or "query, replicator" in text)


def test_no_token_is_logged(front: Front, opa: LocalOpa, callers: Path) -> None:
    """Neither of those who are refused."""
    secret = generate_token()
    front.ask("POST", DECISION, secret, b"{}")
    front.ask("POST", DECISION, _portal(callers), _body(300_000))
    eventually(lambda: f" caller 413 POST {'/caller'}" in front.log.read_text(encoding="utf-8"), "a line")
    text = front.log.read_text(encoding="utf-8")
    assert not [token for token in (secret, _portal(callers), opa.tokens.query) if token in text]


def test_certificates_of_callers(nginx: Path, opa: LocalOpa, tmp_path: Path) -> None:
    """Where they are wanted, a token without one is not enough."""
    authority = Authority(tmp_path)
    (tmp_path / "tls").mkdir()
    certificate, key = authority.issue("front", "/CN=front", "subjectAltName=IP:127.0.0.1")
    certificate.rename(tmp_path / "tls/tls.crt")
    key.rename(tmp_path / "tls/tls.key")
    variables = {
        **opa.tokens.environment,
        "WARDEN_FRONT_TLS": str(tmp_path / "tls"),
        "WARDEN_FRONT_CLIENT_CA": str(authority.certificate),
    }
    without = ssl.create_default_context(cafile=str(authority.certificate))
    own = ssl.create_default_context(cafile=str(authority.certificate))
    own.load_cert_chain(*authority.issue("client", "/CN=client", "extendedKeyUsage=clientAuth"))
    with Front(nginx, opa.url, tmp_path, variables) as front:
        assert 200 == front.ask("GET", "/health", tls=own)[0]
        assert 200 == front.ask("POST", "/v1/data/catalog/revision", opa.tokens.query, b"{}", tls=own)[0]
        assert 400 == front.ask("POST", "/v1/data/catalog/revision", opa.tokens.query, b"{}", tls=without)[0]


def test_without_issuers_no_jwt(nginx: Path, opa: LocalOpa, tmp_path: Path) -> None:
    """It goes no further than any other token that nobody knows."""
    with Front(nginx, opa.url, tmp_path, opa.tokens.environment) as front:
        assert "the front of this OPA" in front.ask("POST", DECISION, JWT, b"{}")[1]


def test_a_long_number_holds_nobody_up(nginx: Path, opa_binary: Path, few_bundle: Bundle, tmp_path: Path) -> None:
    """What OPA checks for tens of seconds with its lock held is not passed on, so that a write goes on meanwhile.

    A number of 4 MB with an exponent; of it OPA alone takes more than a minute, for each sender.
    """
    number = b'{"input": ' + b"1" * 4_000_000 + b"e400}"
    with LocalOpa(few_bundle, opa=opa_binary, directory=tmp_path / "opa") as opa:
        variables = {**opa.tokens.environment, "WARDEN_FRONT_JWT": "yes"}
        with Front(nginx, opa.url, tmp_path, variables) as front:
            assert {401, 413} >= {front.ask("POST", DECISION, token, number)[0] for token in ("", "x", JWT)}
            packed = {"Content-Encoding": "gzip"}
            assert {401, 413, 415} >= {
                front.ask("POST", DECISION, token, gzip.compress(number), packed)[0] for token in ("", "x", JWT)
            }
            with OpaClient(f"http://127.0.0.1:{front.port}", token=opa.tokens.replicator) as replicator:
                replicator.put_data(["clusters", "c"], {"topics": {}})
            assert _processor_seconds(opa.pid) < 60


def _processor_seconds(pid: int) -> float:
    """What a process has used of processors so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def test_what_is_wrong_is_said(nginx: Path, tmp_path: Path) -> None:
    """In one sentence, and it ends with 2."""
    for number, (variables, sentence) in enumerate(
        [
            ({"WARDEN_FRONT_OPA": "127.0.0.1:8181"}, "give an address like http://127.0.0.1:8181"),
            ({"WARDEN_FRONT_CLIENT_CA": "ca.crt"}, "certificates of callers need TLS"),
            ({"WARDEN_OPA_QUERY_TOKEN": 'a"b'}, "the token of WARDEN_OPA_QUERY_TOKEN has characters"),
        ]
    ):
        directory = tmp_path / str(number)
        directory.mkdir()
        with pytest.raises(AssertionError, match=sentence), Front(nginx, "http://127.0.0.1:1", directory, variables):
            pass
