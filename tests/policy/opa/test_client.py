"""The client, against a real OPA."""

import json
import math
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.policy.opa.faults import Answer, faulty
from warden.base.errors import (
    ConfigurationError,
    InputError,
    OpaEvaluationError,
    OpaInputTooLarge,
    OpaRefused,
    OpaUndefined,
    OpaUnreachable,
)
from warden.policy.opa.client import OpaClient, RetryPolicy
from warden.policy.opa.connection_config import OpaConnectionConfig

YES, NO = {"say": "yes"}, {"say": "no"}
ERROR = {"code": 44, "name": "POLICY_VIOLATION", "message": "no"}
ALLOWED = {"allowed": True, "errors": [], "error": None, "violations": [], "cluster": None}
DENIED = {"allowed": False, "errors": ["no"], "error": ERROR, "violations": [], "cluster": None}


@pytest.fixture
def client(local_opa):
    with local_opa.build_client() as client:
        yield client


@pytest.fixture
def replicator(local_opa):
    with local_opa.build_client(local_opa.tokens.replicator) as client:
        yield client
        for root in ("clusters", "kubernetes"):
            client.put_data([root], {})


@pytest.mark.opa
@pytest.mark.parametrize(("document", "decision"), [(YES, ALLOWED), (NO, DENIED)])
def test_decide(client, document, decision):
    """A denial is a value, as an approval is."""
    assert decision == client.decide(document)


@pytest.mark.opa
def test_undefined_is_not_a_denial(client):
    """A policy that has no decision has decided nothing; OPA's decision id leads to the log."""
    with pytest.raises(OpaUndefined) as caught:
        client.decide({"say": "perhaps"})

    assert caught.value.decision_id is not None
    assert (
        f"{client.url}/v1/data/kafka/decision is undefined: check the path and that the bundle has been loaded"
        == str(caught.value)
    )


@pytest.mark.opa
def test_a_policy_that_fails(client):
    """A conflict in the policy is no fault of the network, and names its place."""
    with pytest.raises(OpaEvaluationError, match=r"conflicting values .* \(at decision\.rego:\d+\)$"):
        client.decide({"say": "conflict"})


@pytest.mark.opa
@pytest.mark.parametrize(("batch_size", "in_flight"), [(1, 1), (1, 4), (7, 2), (20, 1), (1000, 8)])
def test_decide_many(client, batch_size, in_flight):
    """However the items are cut, each key has its own decision, in the caller's order."""
    items = {f"prod eu/{number}%": {"say": "yes" if number % 3 else "no"} for number in range(20, 0, -1)}
    decisions = client.decide_many(items, {"cluster": "c"}, batch_size=batch_size, in_flight=in_flight)

    assert [(key, item["say"] == "yes", "c") for key, item in items.items()] == [
        (key, decision["allowed"], decision["cluster"]) for key, decision in decisions.items()
    ]


@pytest.mark.opa
def test_decide_many_of_nothing(client):
    """No items, no request, no decisions."""
    assert {} == client.decide_many({})


@pytest.mark.opa
@pytest.mark.parametrize("batch_size", [1, 2, 10])
def test_an_item_without_a_decision(client, batch_size):
    """One item that OPA leaves out fails the call and is named: it must never look allowed."""
    with pytest.raises(OpaUndefined, match="did not decide the item 'b'"):
        client.decide_many({"a": YES, "b": {"say": "perhaps"}, "c": YES}, batch_size=batch_size)


@pytest.mark.parametrize(
    "result",
    [{}, {"a": None}, {"a": {}}, {"a": {"allowed": "true"}}, {"a": {"allowed": 1}}, {"b": {"allowed": True}}, [], None],
)
def test_an_answer_that_is_no_decision(result):
    """Only a decision that says true or false is one."""
    body = json.dumps({"result": result}).encode()
    with (
        faulty([Answer(body=body)]) as server,
        OpaClient(server.url) as client,
        pytest.raises(OpaUndefined, match="did not decide the item 'a'"),
    ):
        client.decide_many({"a": YES})


def test_what_is_too_large_is_not_sent():
    """An item is named; what it shares with others is not counted, and neither are its neighbours."""
    shared, large = {"clusterState": {"topics": "x" * 5000}}, {"request": {"topic": "x" * 5000}}
    with faulty([Answer()]) as server, OpaClient(server.url, max_item_bytes=4096) as client:
        assert client.decide(shared)["allowed"]
        with pytest.raises(OpaInputTooLarge, match=r"^the decision input has 5,\d+ bytes of JSON, more than the 4,096"):
            client.decide(large)
        with pytest.raises(OpaInputTooLarge, match=r"^the item 'b' has"):
            client.decide_many({"a": YES, "b": large})
        assert 1 == server.count


def test_a_services_limit_is_its_configurations():
    """What is above `maxItemBytes` is not sent by the client of a configuration."""
    with (
        faulty([Answer()]) as server,
        OpaConnectionConfig(url=server.url, max_item_bytes=1024).build_client() as client,
    ):
        with pytest.raises(OpaInputTooLarge, match=r"^the decision input has 1,\d+ bytes of JSON, more than the 1,024"):
            client.decide({"request": {"topic": "x" * 1024}})
        assert 0 == server.count


@pytest.mark.opa
@pytest.mark.parametrize("document", [{}, [], False, 0, "", None, {"a": [1, {"ü": "\U0001f600"}]}, 2**60])
def test_evaluate_sends_what_it_is_given(client, document):
    """Empty and false inputs are sent too, and everything comes back as it went."""
    assert document == client.evaluate("kafka/lists/check", document)


@pytest.mark.opa
def test_a_refused_token_is_read_again(local_opa):
    """Once for each request; one that is the same as before is not tried again."""
    tokens = ["wrong", local_opa.tokens.query]
    with OpaClient(local_opa.url, token=lambda: tokens.pop(0)) as client:
        assert ALLOWED == client.decide(YES)
    assert not tokens

    tokens = ["wrong", "wrong", local_opa.tokens.query]
    with (
        OpaClient(local_opa.url, token=lambda: tokens.pop(0)) as client,
        pytest.raises(OpaRefused, match=r"refused this caller \(401\)"),
    ):
        client.decide(YES)
    assert 1 == len(tokens)


@pytest.mark.opa
def test_a_path_that_does_not_exist(local_opa):
    """A misspelt path is refused by the policy for the query token, undefined for one that may read."""
    with local_opa.build_client(local_opa.tokens.admin) as admin, pytest.raises(OpaUndefined):
        admin.get_data(["kafka", "desicion"])
    with (
        local_opa.build_client() as query,
        pytest.raises(OpaRefused, match="the query token may not POST /v1/data/kafka/desicion"),
    ):
        query.evaluate("kafka/desicion", {})


@pytest.mark.opa
def test_post_raw(client):
    """Bytes go as they are, and the whole answer comes back as OPA wrote it."""
    answer = json.loads(client.post_raw("kafka/decisions", b'{"input": {"items": {"a": {"say": "yes"}}}}'))

    assert {"a": ALLOWED} == answer["result"]
    with pytest.raises(OpaRefused, match="refused the request"):
        client.post_raw("kafka/decisions", b"{not json")


@pytest.mark.opa
@pytest.mark.parametrize("document", [{"a": 1}, 3, [1, 2], "text", None, False, {}])
def test_data_of_every_kind(replicator, document):
    """What is put is what is got, at a path whose segments need quoting."""
    path = ["clusters", "prod/eu", "a b?#%2F", "ü"]
    replicator.put_data(path, document)

    assert document == replicator.get_data(path)
    assert {"prod/eu": {"a b?#%2F": {"ü": document}}} == replicator.get_data(["clusters"])


@pytest.mark.opa
def test_patch_and_delete(replicator):
    """Patches are relative to their path; what is deleted, or was never there, is undefined."""
    replicator.put_data(["clusters", "c"], {"topics": {"a": 1, "b": 2}})
    replicator.patch_data(
        ["clusters", "c", "topics"],
        [
            {"op": "replace", "path": "/a", "value": 3},
            {"op": "remove", "path": "/b"},
            {"op": "add", "path": "/d", "value": {}},
        ],
    )

    assert {"c": {"topics": {"a": 3, "d": {}}}} == replicator.get_data(["clusters"])

    replicator.patch_data(["clusters"], [{"op": "remove", "path": "/c"}])
    for attempt in (
        lambda: replicator.get_data(["clusters", "c"]),
        lambda: replicator.patch_data(["clusters"], [{"op": "remove", "path": "/c"}]),
        lambda: replicator.patch_data(["clusters", "c"], [{"op": "add", "path": "/x", "value": 1}]),
    ):
        with pytest.raises(OpaUndefined):
            attempt()


@pytest.mark.parametrize("piece", ["", ".", ".."])
def test_segments_that_no_url_can_carry(piece):
    """Every router between here and OPA would make another path of them."""
    with OpaClient("http://127.0.0.1:1") as client, pytest.raises(InputError, match="cannot stand in a URL"):
        client.put_data(["clusters", piece], {})


@pytest.mark.parametrize("document", [{"a": math.nan}, {"a": {1, 2}}, {"a": b""}, math.inf])
def test_documents_that_are_not_json(document):
    """What JSON cannot say is refused here, before anything is sent."""
    with OpaClient("http://127.0.0.1:1") as client:
        for attempt in (
            lambda: client.evaluate("kafka/decision", document),
            lambda: client.put_data(["clusters", "c"], document),
        ):
            with pytest.raises(InputError, match=r"cannot be written as JSON \("):
                attempt()


@pytest.mark.parametrize(
    "url", ["", "opa:8181", "ftp://opa", "http://", "http://user:hunter22@opa", "http://opa:99999", "http://opa/?a=b"]
)
def test_addresses_that_are_none(url):
    """An address is scheme, host and port; a password in it is not repeated."""
    with pytest.raises(ConfigurationError) as caught:
        OpaClient(url)

    assert "hunter22" not in str(caught.value)


@pytest.mark.opa
def test_health_and_revision(client):
    """OPA is ready with the bundle that it was given."""
    assert (True, True, "r1") == (client.is_healthy(), client.is_healthy(bundles=False), client.read_revision())


def test_health_of_nobody():
    """Nobody there is not healthy; it is not an exception."""
    with OpaClient("http://127.0.0.1:1", retries=RetryPolicy(1)) as client:
        assert not client.is_healthy()


def test_an_opa_without_the_bundle():
    """An OPA that runs without Warden's bundle has no revision to name."""
    with (
        faulty([Answer(body=b'{"provenance": {"version": "1.22.0"}}')]) as server,
        OpaClient(server.url) as client,
        pytest.raises(OpaUndefined, match="has no bundle named warden"),
    ):
        client.read_revision()


@pytest.mark.opa
def test_status_is_for_the_administrator(local_opa, client):
    """The admin token reads OPA's status; the query token does not."""
    with local_opa.build_client(local_opa.tokens.admin) as admin:
        assert "r1" == admin.read_status()["bundles"]["warden"]["active_revision"]
    with pytest.raises(OpaRefused, match="the query token may not GET /v1/status"):
        client.read_status()


@pytest.mark.opa
def test_one_client_for_many_threads(client):
    """More threads than connections share one client; each gets its own answer."""
    with ThreadPoolExecutor(16) as threads:
        echoed = list(threads.map(lambda number: client.evaluate("kafka/lists/check", number), range(200)))

    assert list(range(200)) == echoed


@pytest.mark.opa
def test_an_opa_that_goes_away(opa_binary, small_bundle):
    """A client whose OPA has been stopped says unreachable, and decides again once OPA is back."""
    from warden.policy.opa.local import LocalOpa

    with (
        LocalOpa(small_bundle, opa=opa_binary) as opa,
        OpaClient(opa.url, token=opa.tokens.query, retries=RetryPolicy(attempts=2, base=0.01)) as client,
    ):
        assert ALLOWED == client.decide(YES)
        opa.restart()
        assert ALLOWED == client.decide(YES)
        opa.stop()
        with pytest.raises(OpaUnreachable, match="cannot be reached"):
            client.decide(YES)
