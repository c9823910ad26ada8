"""`warden.enforce.sdk.admin.PolicyAdminClient` comes to the same decisions, and nothing of what is denied is sent."""

import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from functools import partialmethod
from typing import Any

import pytest
import yaml
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from tests.conformance.admin_calls import as_call
from tests.conformance.stated import merged_expectations, principal_of, stated
from tests.fixtures.patience import PATIENCE
from warden import Warden
from warden.base.resources import find_shipped
from warden.enforce.sdk.admin import PolicyAdminClient
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.opa, pytest.mark.slow]

Cases = list[dict[str, Any]]

_KEYS: dict[str, Callable[[Any], Any]] = {  # by which a future is found
    "alter_consumer_group_offsets": lambda of: of.group_id,
    "alter_user_scram_credentials": lambda alteration: alteration.user,
    "create_partitions": lambda new: new.topic,
    "create_topics": lambda new: new.topic,
}
_BY_ITSELF = (
    "alter_configs",
    "create_acls",
    "delete_acls",
    "delete_consumer_groups",
    "delete_records",
    "delete_topics",
    "incremental_alter_configs",
)
_SAID = {
    *("CreateTopic", "AlterTopic", "DeleteTopic", "DeleteRecords"),
    *("AlterBroker", "AlterConfig", "CreateAcl", "DeleteAcl", "AlterScram", "AlterGroupOffsets", "DeleteGroup"),
}
_UNSAID = {
    "a host of the caller",
    "a misspelt decision input",
    "an old version of a request",
    "fields of several requests, or of none",
    "no method",
    "no request of Kafka's",
    "one result for all",
    "topics that are deleted together",
    "what is known only later",
}
_RULE = re.compile(r"KFK-[A-Z]+-\d+")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the original gets; it stands for a cluster that takes everything, whatever state a case has made up."""
    things: list[Any] = []

    def method(_: AdminClient, given: list[Any], *, by: Callable[[Any], Any], **_options: Any) -> dict[Any, Any]:
        things.extend(given)
        futures: dict[Any, Future[None]] = {by(one): Future() for one in given}
        for future in futures.values():
            future.set_result(None)
        return futures

    for name, by in {**_KEYS, **dict.fromkeys(_BY_ITSELF, _itself)}.items():
        monkeypatch.setattr(AdminClient, name, partialmethod(method, by=by))
    return things


def test_the_admin_client(cases: Cases, client: OpaClient, stated_opa: LocalOpa, sent: list[Any]) -> None:
    """Each case that a method can say."""
    expected = merged_expectations(cases, client)
    codes = yaml.safe_load((find_shipped("bundle") / "catalog/errors/data.yaml").read_text())
    said, wrong, unsaid = Counter[str](), [], Counter[str]()
    admins: dict[tuple[str, str], PolicyAdminClient] = {}
    with stated_opa.build_client(stated_opa.tokens.replicator) as opa, stated_opa.build_client() as asks:
        for cluster, group in stated(cases, opa):
            for case in group:
                if isinstance(call := as_call(case), str):
                    unsaid[call] += 1
                    continue
                who = cluster, principal_of(case["input"])
                if who not in admins:
                    warden = Warden(asks, cluster=cluster, principal=who[1])
                    admins[who] = PolicyAdminClient({}, warden=warden)
                found = _outcome(getattr(admins[who], call[0]), call[1], call[2], sent)
                said[case["input"]["operation"]] += 1
                if found != (wanted := _wanted(expected[case["id"]], codes)):
                    wrong.append(f"{case['id']} {case['title']}: expected {wanted}, got {found}")

    assert [] == wrong
    assert _UNSAID == unsaid.keys()
    assert _SAID == said.keys()
    assert len(cases) == said.total() + unsaid.total()


def _itself(thing: Any) -> Any:
    return thing


def _outcome(
    method: Callable[..., dict[Any, Any]], given: list[Any], options: dict[str, Any], sent: list[Any]
) -> dict[str, Any]:
    sent.clear()
    (future,) = method(given, **options).values()
    error = future.exception(timeout=PATIENCE)
    assert error is None or isinstance(error, KafkaException)
    message = "" if error is None else error.args[0].str()
    return {
        "code": 0 if error is None else error.args[0].code(),
        "sent": bool(sent),
        "rules": sorted(set(_RULE.findall(message))),
    }


def _wanted(expected: dict[str, Any], codes: dict[str, int]) -> dict[str, Any]:
    denying = {each["rule"] for each in expected["violations"] if each["effect"] == "deny"}
    return {
        "code": codes[expected["error"]] if expected["error"] else 0,
        "sent": expected["allowed"],
        "rules": sorted(denying),
    }
