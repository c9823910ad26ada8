"""Brokers with the plugin inside come to the same decisions, where Kafka shows its plugins what a case says."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from kafka.errors import for_code

from tests.conformance.requests import as_request
from tests.conformance.run import expectation
from tests.conformance.stated import stated
from tests.enforce.broker_plugin.inside import Inside, plugin_properties
from tests.fixtures.brokers.three_brokers import Brokers
from tools.broker_plugin import build_plugin
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.opa, pytest.mark.kafka, pytest.mark.slow]

Cases = list[dict[str, Any]]

_MODE = "deny"  # a broker is of one cluster, and each mode of the suite is one
_DEFAULTS = {"num.partitions": "3", "default.replication.factor": "1"}  # as most states of the suite have them
_APIS = {"CreateTopics": "topics", "DeleteTopics": "responses", "IncrementalAlterConfigs": "responses"}
_NEWEST = 7  # of CreateTopics, the one request of which the cases tell the version
_NOT_AUTHORIZED, _BROKER = 29, 4
_RULE = re.compile(r"KFK-[A-Z]+-\d+")
_OF_LABELS = {"KFK-GOV-001", "KFK-GOV-002"}  # which no request can say
_NOT_THERE = {"remote.storage.enable"}  # these brokers have no remote store
_UNSAID = {
    "a host of the caller",
    "a misspelt decision input",
    "a request of which Kafka asks no plugin",
    "a topic of Kafka's own",
    "a value or a default that these brokers have not",
    "an old version of a request",
    "another mode",
    "fields of several requests, or of none",
    "topics that are deleted together",
    "what is known only later",
}
_REFUSED = {
    "InvalidConfigurationError",
    "InvalidReplicationFactorError",
    "InvalidTopicError",
    "PolicyViolationError",  # of Kafka's own: more partitions than it makes for one request
}


@pytest.fixture(scope="module")
def there(cases: Cases) -> dict[str, dict[str, str]]:
    """The topics that cases change or delete, with the configs which their changes take away or add to."""
    topics: dict[str, dict[str, str]] = {}
    for case in map(_about_what_is_there, cases):
        if not isinstance(made := _as_request(case), str) and made[0] != "CreateTopics":
            topic = case["input"]["request"].get("topic")
            before = _configs(case["input"])
            kept = {name: before[name] for name in _relative(*made) & before.keys() - _NOT_THERE}
            topics.setdefault(topic, {}).update(kept)
    return {topic: configs for topic, configs in topics.items() if topic}


@pytest.fixture(scope="module")
def inside(
    there: Mapping[str, Mapping[str, str]], stated_opa: LocalOpa, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Inside]:
    """Three brokers of the cluster in which every rule denies; they had the topics before they had the plugin."""
    directory = tmp_path_factory.mktemp("brokers")
    jar = build_plugin(directory / "warden-broker.jar", pinned=True)
    users = {"super.users": "User:ANONYMOUS;User:alice"}
    with Brokers(heap=320, properties=_DEFAULTS | users, jars=[jar], sasl_users={"alice": "x"}) as brokers:
        inside = Inside(brokers, stated_opa, directory)
        for topic, configs in there.items():
            assert {topic: (0, "")} == inside.create(topic, numPartitions=2, replicationFactor=3, configs=configs)
        plugin = plugin_properties(stated_opa, directory / "token", cluster=_MODE) | users
        for node, log in brokers.logs.items():
            brokers.kill(node)
            with (log.parent / "server.properties").open("a", encoding="utf-8") as file:
                file.writelines(f"{name}={value}\n" for name, value in plugin.items())
        for node in brokers.nodes:
            brokers.start_node(node)
        brokers.wait()
        yield inside


def test_the_plugin(
    cases: Cases,
    there: Mapping[str, Mapping[str, str]],
    client: OpaClient,
    stated_opa: LocalOpa,
    inside: Inside,
) -> None:
    """Each case that reaches it: what it denies, and the rules that it names; Kafka's own refusals are counted."""
    said, unsaid, refused, wrong = Counter[str](), Counter[str](), Counter[str](), []
    requests: dict[str, tuple[str, dict[str, Any]]] = {}
    sayable = []
    for case in map(_about_what_is_there, cases):
        made = _as_request(case)
        if isinstance(made, str):
            unsaid[made] += 1
        elif not _has_the_same(case["input"], made, there):
            unsaid["a value or a default that these brokers have not"] += 1
        else:
            requests[case["id"]] = made
            sayable.append(case)
    with stated_opa.build_client(stated_opa.tokens.replicator) as opa:
        for _, group in stated(sayable, opa):
            expected = _expectations(group, client)
            for case in group:
                code, text = _send(inside, *requests[case["id"]], case["input"].get("principal", {}).get("name"))
                rules, one = set(_RULE.findall(text)), expected[case["id"]]
                if code and not rules:
                    refused[for_code(code).__name__] += 1
                    continue
                said[case["input"]["operation"]] += 1
                denying = {each["rule"] for each in one["violations"] if each["effect"] == "deny"} - _OF_LABELS
                if (bool(denying), denying) != (bool(code), rules):
                    wrong.append(f"{case['id']} {case['title']}: expected {sorted(denying)}, got {code} {text}")

    assert [] == wrong
    assert _UNSAID == unsaid.keys()
    assert _REFUSED == refused.keys()
    assert {"CreateTopic", "AlterTopic", "DeleteTopic", "AlterBroker"} == said.keys()
    assert len(cases) == said.total() + unsaid.total() + refused.total()


def _about_what_is_there(case: dict[str, Any]) -> dict[str, Any]:
    """The case with another name for the topic that it changes or deletes: others create one of that name."""
    document = case["input"]
    topic = document["request"].get("topic") if isinstance(document["request"], dict) else None
    if document["operation"] == "CreateTopic" or not isinstance(topic, str) or topic.startswith("__"):
        return case
    renamed: dict[str, Any] = json.loads(json.dumps(case).replace(f'"{topic}"', f'"{topic}-there"'))
    return renamed


def _as_request(case: dict[str, Any]) -> tuple[str, dict[str, Any]] | str:
    document = case["input"]
    if "invalidInput" in case["expected"]:
        return "a misspelt decision input"
    request, made = document["request"], as_request(document)
    hindrances = {
        "another mode": document["enforcementPoint"] != _MODE,
        "what is known only later": "unknown" in document,
        "a host of the caller": "host" in document.get("principal", {}),
        "topics that are deleted together": request.get("topicsInRequest", 1) != 1,
        "an old version of a request": document.get("api", {}).get("version", _NEWEST) < _NEWEST,
        "a topic of Kafka's own": str(request.get("topic")) == "__consumer_offsets",
        "fields of several requests, or of none": made is None,
    }
    if found := next((words for words, hinders in hindrances.items() if hinders), None):
        return found
    return made if made and made[0] in _APIS else "a request of which Kafka asks no plugin"


def _configs(document: Mapping[str, Any]) -> dict[str, str]:
    topics = document["clusterState"].get("topics", {})
    configs: dict[str, str] = topics.get(document["request"].get("topic"), {}).get("configs", {})
    return configs


def _relative(api: str, request: Mapping[str, Any]) -> set[str]:
    """The configs whose value after a change is made of the one before."""
    resources = request["resources"] if api == "IncrementalAlterConfigs" else []
    return {config["name"] for each in resources for config in each["configs"] if config["configOperation"]}


def _sets(api: str, request: Mapping[str, Any]) -> dict[str, str]:
    resources = request["resources"] if api == "IncrementalAlterConfigs" else []
    return {config["name"]: config["value"] for each in resources for config in each["configs"]}


def _has_the_same(
    document: Mapping[str, Any], made: tuple[str, Mapping[str, Any]], there: Mapping[str, Mapping[str, str]]
) -> bool:
    """Whether these brokers make of a request what those of the case's state do."""
    request = document["request"]
    if made[0] == "CreateTopics":
        (topic,) = made[1]["topics"]
        stated_ = {**_DEFAULTS, **document["clusterState"].get("defaults", {})}
        left_out = {"num.partitions": topic["numPartitions"], "default.replication.factor": topic["replicationFactor"]}
        counts = () if topic["assignments"] else [name for name, number in left_out.items() if number == -1]
        return all(stated_[name] == _DEFAULTS[name] for name in counts)
    before, own = _configs(document), there.get(request.get("topic"), {})
    compared = _relative(*made) | {name for name, value in own.items() if _sets(*made).get(name) == value}
    return all(before.get(name) == own.get(name) for name in compared)


def _expectations(group: Cases, client: OpaClient) -> dict[str, dict[str, Any]]:
    documents = {case["id"]: {**case["input"], "cluster": _MODE, "enforcementPoint": "broker"} for case in group}
    return {id_: expectation(decision) for id_, decision in client.decide_many(documents).items()}


def _send(inside: Inside, api: str, request: Mapping[str, Any], user: str | None) -> tuple[int, str]:
    """Return the code and the text; of a deletion, which Kafka refuses without one, the log has it."""
    node = None
    if api == "DeleteTopics":
        topics = [{"name": name, "topicId": "00000000-0000-0000-0000-000000000000"} for name in request["topicNames"]]
        request = {"topics": topics, "topicNames": [], "timeoutMs": 60_000}
    elif api == "CreateTopics":
        request = {**request, "timeoutMs": 60_000, "validateOnly": True}
    else:
        request = {**request, "validateOnly": True}
        (resource,) = request["resources"]
        node = int(resource["resourceName"] or 0) or None if resource["resourceType"] == _BROKER else None
    before = inside.log.splitlines()
    response = inside.send(api, request, user, node)
    (answer,) = getattr(response, _APIS[api])
    if answer.error_code == _NOT_AUTHORIZED:
        return answer.error_code, "\n".join((Counter(inside.log.splitlines()) - Counter(before)).keys())
    return answer.error_code, answer.error_message or ""
