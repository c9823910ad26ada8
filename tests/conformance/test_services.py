"""Enforcement points that speak for their callers come to the same decisions: `warden serve` and `warden gateway`."""

import logging
import re
import socket
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import yaml

from tests.conformance.build import MODES
from tests.conformance.requests import as_request
from tests.conformance.run import expectation
from tests.conformance.stated import gateway_expectations, principal_of, stated
from tests.enforce.gateway.frames import KEYS, raw_request
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.service.running import Caller, RunningService
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.demo.local_broker import LocalBroker
from warden.enforce.gateway.log.observer import LOG
from warden.enforce.gateway.wire.apis import APIS
from warden.enforce.service.config import read_config
from warden.policy.adapter.request_types import REQUEST_TYPES, RESOURCE_TYPES
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.opa, pytest.mark.kafka, pytest.mark.slow]

Cases = list[dict[str, Any]]

_USERS = ("ANONYMOUS", "alice", "admin")
_SAID = {row.operation for row in REQUEST_TYPES.values()} | {operation for operation, _ in RESOURCE_TYPES.values()}
_UNSAID = {
    "a host of the caller",
    "a misspelt decision input",
    "a version that is not carried",
    "fields of several requests, or of none",
    "no request of Kafka's",
    "topics that are deleted together",
    "what is known only later",
}
_VERSIONS = {"DeleteTopics": 5}  # the last that names topics without ids; of others the newest
_REFUSED = re.compile(r"items\.([^:]+): ([^:]+)")  # OPA's statement about an item: which, and of which field
_SOME = 12  # every so many cases are answered about one by one


@pytest.fixture(scope="module")
def users_broker() -> Iterator[LocalBroker]:
    """A broker that takes what the gateway lets through, from everyone."""
    with LocalBroker(sasl_users=dict.fromkeys(_USERS, "x")) as running:
        yield running


@pytest.fixture(scope="module")
def service(
    stated_opa: LocalOpa, users_broker: LocalBroker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningService]:
    """`warden serve` of all clusters, for all who ask."""
    directory = tmp_path_factory.mktemp("service")
    (directory / "opa.token").write_text(stated_opa.tokens.query)
    for name in _USERS:
        (directory / f"{name}.token").write_text(f"token-of-{name}")
    callers = [{"token": {"file": f"{name}.token"}, "principal": f"User:{name}"} for name in _USERS]
    servers = users_broker.bootstrap_servers
    clusters = [{"name": mode, "bootstrapServers": servers, "store": f"sqlite:{directory}/{mode}"} for mode in MODES]
    document = {
        "opa": {"url": stated_opa.url, "token": {"file": "opa.token"}, "timeout": PATIENCE},
        "limits": {"requestsPerSecond": 10000},
        "callers": callers,
        "clusters": clusters,
    }
    (directory / "serve.yaml").write_text(yaml.safe_dump(document))
    with RunningService(read_config(directory / "serve.yaml")) as running:
        yield running


def test_the_service(cases: Cases, stated_opa: LocalOpa, service: RunningService) -> None:
    """All cases as batches of `/v1/decisions`, some by `/v1/decide`; what it does not take from callers is named."""
    answered, wrong, unsaid = 0, [], Counter[str]()
    with stated_opa.build_client(stated_opa.tokens.replicator) as opa:
        for cluster, group in stated(cases, opa):
            by_caller: dict[str, dict[str, dict[str, Any]]] = {}
            for case in group:
                if "@" in (principal := principal_of(case["input"])):
                    unsaid["a host of the caller"] += 1
                    continue
                by_caller.setdefault(principal.partition(":")[2], {})[case["id"]] = case
            for name, theirs in by_caller.items():
                items = {id_: _of_a_caller(case["input"]) for id_, case in theirs.items()}
                caller = Caller(service, f"token-of-{name}")
                answer = caller.post(path := f"decisions?cluster={cluster}", {"items": items})
                while refused := _REFUSED.match(answer.json().get("errorMessage") or ""):
                    del items[refused[1]]
                    unsaid[f"{refused[2]}: {theirs[refused[1]]['input']['operation']}"] += 1
                    answer = caller.post(path, {"items": items})
                decisions = answer.json()
                if items and answered % _SOME == 0:
                    id_, document = next(iter(items.items()))
                    one = caller.post(f"decide?cluster={cluster}", document).json()
                    assert expectation(one) == expectation(decisions[id_])
                answered += len(items)
                wrong += [
                    f"{id_} {case['title']}: expected {case['expected']}, got {expectation(decisions[id_])}"
                    for id_, case in theirs.items()
                    if id_ in items and expectation(decisions[id_]) != case["expected"]
                ]

    assert [] == wrong
    client_configs = {f"user: {operation}" for operation in ("AlterClientConfigs", "AuditClientConfigs")}
    assert {"a host of the caller"} | client_configs == unsaid.keys()
    assert len(cases) == answered + unsaid.total()


def _of_a_caller(document: dict[str, Any]) -> dict[str, Any]:
    stated_by_others = {"cluster", "clusterState", "enforcementPoint", "now", "principal"}
    return {key: value for key, value in document.items() if key not in stated_by_others}


class _Seen(logging.Handler):
    """What the gateway logs of guarded requests, by cluster and correlation id."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.decided: dict[tuple[str, int], dict[str, Any]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg == "decided":
            fields = vars(record)
            self.decided[fields["cluster"], fields["correlationId"]] = fields


@pytest.fixture
def seen() -> Iterator[_Seen]:
    """The gateway's log."""
    handler, level = _Seen(), LOG.level
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    yield handler
    LOG.removeHandler(handler)
    LOG.setLevel(level)


@pytest.fixture(scope="module")
def gateway(
    stated_opa: LocalOpa, users_broker: LocalBroker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningGateway]:
    """A gateway before one broker that is each of the clusters."""
    brokers = {1: users_broker.sasl_bootstrap_servers}
    clusters = [{"name": mode, "brokers": brokers, "authentication": "sasl"} for mode in MODES]
    with RunningGateway(
        write_config(tmp_path_factory.mktemp("gate") / "gateway.yaml", stated_opa, clusters)
    ) as running:
        yield running


class _Client:
    """Speaks Kafka's protocol to a gateway as a user."""

    def __init__(self, address: str, user: str) -> None:
        host, _, port = address.partition(":")
        self._socket = socket.create_connection((host, int(port)), 30)
        self._file = self._socket.makefile("rb")
        self.ask("SaslHandshake", {"mechanism": "PLAIN"}, 1, 1)
        self.ask("SaslAuthenticate", {"authBytes": f"\0{user}\0x".encode()}, 1, 2)

    def ask(self, api: str, fields: dict[str, Any], version: int, id_: int) -> bytes:
        """Return the answer's frame, without its length."""
        self._socket.sendall(raw_request(api, version, fields, id_))
        answer = self._file.read(int.from_bytes(self._file.read(4), "big"))
        assert id_ == int.from_bytes(answer[:4], "big")
        return answer

    def close(self) -> None:
        """End it."""
        self._file.close()
        self._socket.close()


def test_the_gateway(
    cases: Cases, client: OpaClient, stated_opa: LocalOpa, gateway: RunningGateway, seen: _Seen
) -> None:
    """Each case that Kafka's protocol can say goes to the broker or not, by the rules that the suite expects."""
    expected = gateway_expectations(cases, client)
    said, wrong, unsaid = Counter[str](), [], Counter[str]()
    clients = {(mode, user): _Client(gateway.address(i), user) for i, mode in enumerate(MODES) for user in _USERS}
    with stated_opa.build_client(stated_opa.tokens.replicator) as opa:
        for cluster, group in stated(cases, opa):
            for case in group:
                document = case["input"]
                if isinstance(request := _in_protocol(case), str):
                    unsaid[request] += 1
                    continue
                api, version, fields = request
                id_ = 1000 + int(case["id"][2:])
                user = principal_of(document).partition(":")[2]
                clients[cluster, user].ask(api, fields, version, id_)
                line = eventually(partial(seen.decided.get, (cluster, id_)), "the gateway logs the decision")
                (item,) = line["items"]
                said[document["operation"]] += 1
                if (found := _outcome(item, line)) != (wanted := _wanted(expected[case["id"]])):
                    wrong.append(f"{case['id']} {case['title']}: expected {wanted}, got {found}")
    for one in clients.values():
        one.close()

    print("\n".join(wrong))
    print(unsaid, said)
    assert [] == wrong
    assert _UNSAID == unsaid.keys()
    assert {each.operation for each in REQUEST_TYPES.values() if each.operation} <= said.keys()
    assert len(cases) == said.total() + unsaid.total()


def _in_protocol(case: dict[str, Any]) -> tuple[str, int, dict[str, Any]] | str:
    """The request and its version, or what it cannot say."""
    document = case["input"]
    hindrances = {
        "what is known only later": "unknown" in document,
        "a misspelt decision input": "invalidInput" in case["expected"],
        "a host of the caller": "@" in principal_of(document),
        "topics that are deleted together": document["request"].get("topicsInRequest", 1) != 1,
        "no request of Kafka's": document["operation"] not in _SAID,
    }
    if hindrance := next((words for words, hinders in hindrances.items() if hinders), ""):
        return hindrance
    if (made := as_request(document)) is None:
        return "fields of several requests, or of none"
    api, request = made
    first, last = APIS[KEYS[api]].advertised
    given = document.get("api", {})
    version = given["version"] if given.get("key") == api else _VERSIONS.get(api, last)
    if version < first:
        return "a version that is not carried"
    return api, version, {**request, **({"validateOnly": True} if "validateOnly" in request else {})}


def _outcome(item: dict[str, Any], line: dict[str, Any]) -> dict[str, Any]:
    return {
        "allowed": item["allowed"],
        "forwarded": line["forwarded"] != "none",
        "error": item.get("error"),
        "rules": sorted({rule.removesuffix(" found") for rule in item.get("rules", [])}),
    }


def _wanted(expected: dict[str, Any]) -> dict[str, Any]:
    return {
        "allowed": expected["allowed"],
        "forwarded": expected["allowed"],
        "error": expected["error"],
        "rules": sorted(f"{each['rule']} {each['effect']}" for each in expected["violations"]),
    }
