"""Who may ask OPA what: over real HTTP, where routers and encodings have their say."""

import http.client
import json

import pytest

from tests.fixtures.patience import PATIENCE
from warden.base.errors import OpaRefused

pytestmark = pytest.mark.opa

EVERYONE = {"query", "replicator", "admin", "none", "empty", "wrong", "longer"}
PATCH = b'[{"op": "add", "path": "/x", "value": 1}]'


@pytest.fixture
def ask(local_opa):
    """Send a request exactly as it is written: no client on the way tidies its path. Returns status and body."""
    host, port = local_opa.url.removeprefix("http://").split(":")

    def send(token, method, path, body=b'{"input": {}}'):
        connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
        try:
            headers = {"Authorization": f"Bearer {token}"} if token is not None else {}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    return send


@pytest.fixture
def tokens(local_opa):
    return {
        "query": local_opa.tokens.query,
        "replicator": local_opa.tokens.replicator,
        "admin": local_opa.tokens.admin,
        "none": None,
        "empty": "",
        "wrong": "wrong",
        "longer": local_opa.tokens.admin + "x",
    }


@pytest.mark.parametrize(
    ("method", "path", "body", "expected"),
    [
        ("GET", "/health", b"", EVERYONE),
        ("GET", "/health?bundles", b"", EVERYONE),
        ("GET", "//health", b"", set()),
        ("POST", "/v1/data/kafka/lists/check", b'{"input": {}}', {"query", "replicator"}),
        ("POST", "/v1/data/kafka/lists/check?metrics=true", b'{"input": {}}', {"query", "replicator"}),
        ("POST", "/v1/data/kafka/lists/check?explain=full", b'{"input": {}}', set()),
        ("POST", "/v1/data/kafka/lists/check/", b'{"input": {}}', set()),
        ("POST", "/v1/data/kafka%2Flists%2Fcheck", b'{"input": {}}', set()),
        ("POST", "/v1/data/kafka/lists/../lists/check", b'{"input": {}}', set()),
        ("POST", "/v0/data/kafka/lists/check", b"{}", set()),
        ("POST", "/v1/data/system/authz", b"{}", set()),
        ("POST", "/v1/data", b"{}", set()),
        ("POST", "/", b"{}", set()),
        ("POST", "/v1/query", b'{"query": "x := opa.runtime()"}', set()),
        ("GET", "/v1/query?q=x%20:=%20opa.runtime()", b"", set()),
        ("POST", "/v1/compile", b'{"query": "opa.runtime()"}', set()),
        ("POST", "/v1/compile/kafka/decision", b"{}", set()),
        ("GET", "/v1/data/catalog/rules", b"", {"query", "replicator", "admin"}),
        ("GET", "/v1/data/catalog/rules?explain=full", b"", set()),
        ("GET", "/v1/data", b"", {"admin"}),
        ("GET", "/v1/data/system", b"", {"admin"}),
        ("GET", "/v1/policies", b"", {"admin", "query"}),
        ("GET", "/v1/config", b"", {"admin"}),
        ("GET", "/v1/status", b"", {"admin"}),
        ("GET", "/metrics", b"", {"admin"}),
        ("PUT", "/v1/policies/clusters", b"package x", set()),
        ("DELETE", "/v1/policies/clusters", b"", set()),
        ("PUT", "/v1/data/clusters/c", b"{}", {"replicator"}),
        ("PATCH", "/v1/data/clusters", PATCH, {"replicator"}),
        ("PUT", "/v1/data/clusters/..%2F..%2Fkafka", b"{}", {"replicator"}),  # a cluster of that name, see below
        ("PUT", "/v1/data/clusters/%2e%2e/settings", b"{}", set()),
        ("PUT", "/v1/data/clusters/../settings", b"{}", set()),
        ("PUT", "/v1/data//clusters/c", b"{}", set()),
        ("PUT", "/v1/data/%63lusters/c", b"{}", {"replicator"}),  # the same as /v1/data/clusters/c
        ("PUT", "/v1/data/clusters%2Fc", b"{}", set()),
        ("PUT", "/v1/data/clusters/", b"{}", set()),
        ("PUT", "/v1/data/settings", b"{}", set()),
        ("PUT", "/v1/data", b"{}", set()),
        ("PATCH", "/v1/data", b'[{"op": "add", "path": "/clusters/c", "value": {}}]', set()),
        ("PATCH", "/v1/data/", b'[{"op": "add", "path": "clusters/c", "value": {}}]', set()),
        ("DELETE", "/v1/data/system", b"", set()),
    ],
)
def test_who_may(ask, tokens, method, path, body, expected):
    """For each request, exactly these tokens are let through; others are refused, or redirected and evaluated anew."""
    statuses = {name: ask(token, method, path, body)[0] for name, token in tokens.items()}

    assert expected == {name for name, status in statuses.items() if 200 <= status < 300}
    assert {301, 401} >= {status for name, status in statuses.items() if name not in expected}


def test_a_patch_stays_below_its_url(ask, tokens, local_opa):
    """Dots and slashes in the path of a patch are names, not ways out."""
    with local_opa.build_client(tokens["admin"]) as admin, local_opa.build_client(tokens["replicator"]) as replicator:
        replicator.put_data(["clusters"], {})
        before = admin.get_data([])
        for path in ("/..", "/..~1..~1kafka", "/../settings", "/%2e%2e/kafka"):
            ask(
                tokens["replicator"],
                "PATCH",
                "/v1/data/clusters",
                json.dumps([{"op": "add", "path": path, "value": {}}]),
            )
        ask(tokens["replicator"], "PUT", "/v1/data/clusters/..%2F..%2Fkafka", b"{}")
        after = admin.get_data([])
        replicator.put_data(["clusters"], {})

    assert before.keys() == after.keys()
    assert {name: before[name] for name in before if name != "clusters"} == {
        name: after[name] for name in after if name != "clusters"
    }


def test_what_a_bundle_owns(local_opa, tokens):
    """OPA itself refuses writes below a bundle's roots, whoever asks: here the policy refuses first."""
    with local_opa.build_client(tokens["replicator"]) as replicator:
        for path in (["kafka"], ["catalog", "rules"], ["system", "log"]):
            with pytest.raises(OpaRefused, match="the replicator token may not PUT"):
                replicator.put_data(path, {})


@pytest.mark.parametrize(
    "path", ["/v1/data", "/v1/data/system", "/v1/data/system/authz", "/v1/config", "/v1/status", "/metrics"]
)
def test_nothing_shows_a_token(ask, tokens, local_opa, path):
    """Not even the administrator reads tokens or the bundle's key out of OPA."""
    status, body = ask(tokens["admin"], "GET", path)

    assert 200 == status
    for secret in (*local_opa.tokens.environment.values(), "a secret of these tests"):
        assert secret not in body


_WHERE = "in the header Authorization, as Bearer"


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        (
            "wrong",
            f"no valid token; send the query, replicator, policies or admin token {_WHERE}",
        ),
        ("query", "the query token may not PUT /v1/data/settings"),
    ],
)
def test_the_caller_learns_why(ask, tokens, token, reason):
    """The reason of the policy reaches the caller."""
    status, body = ask(tokens[token], "PUT", "/v1/data/settings", b"{}")

    assert (401, {"code": "unauthorized", "message": reason}) == (status, json.loads(body))
