"""Reviews that somebody forges: the object alone is decided on, and the answer is the policy's."""

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from tests.enforce.webhook.faulty_opa import FaultyOpa
from tests.enforce.webhook.process import WebhookProcess
from tests.enforce.webhook.test_review import review
from tests.fixtures.patience import PATIENCE

pytestmark = pytest.mark.process

Attacked = tuple[WebhookProcess, FaultyOpa]

_ROOT = {"username": "system:admin", "groups": ["system:masters"], "extra": {"warden.io/allowed": ["true"]}}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """A webhook, and what it asks."""
    with (
        FaultyOpa() as opa,
        WebhookProcess(
            tmp_path_factory.mktemp("attacked"), f"opa: {{url: '{opa.url}', pause: 0, timeout: {PATIENCE:g}}}\n"
        ) as webhook,
    ):
        yield webhook, opa


@pytest.fixture
def attacked(running: Attacked) -> Attacked:
    """The same, with no request to OPA so far, and one that refuses."""
    running[1].faults = ["denied"]
    running[1].requests.clear()
    running[1].bodies.clear()
    return running


def _thing(**metadata: Any) -> dict[str, Any]:
    named = {"name": "a", "namespace": "web", **metadata}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": named}


def _patch(answer: dict[str, Any]) -> Any:
    return json.loads(base64.b64decode(answer["patch"]))


def test_annotations_that_say_where_an_object_runs(attacked: Attacked) -> None:
    """What the policy sets takes their place, and what it refuses they do not admit."""
    webhook, opa = attacked
    forged = _thing(annotations={"a": "forged", "allowed": "true", "warden.io/decision": '{"allowed": true}'})
    refused = webhook.send(review(forged)).json()["response"]
    opa.faults = ["fixed"]
    admitted = webhook.send(review(forged)).json()["response"]

    assert (False, 403, "no") == (refused["allowed"], refused["status"]["code"], refused["status"]["message"])
    assert "patch" not in refused
    assert [{"op": "add", "path": "/metadata/annotations/a", "value": "1"}] == _patch(admitted)


@pytest.mark.parametrize(
    "forged",
    [
        {"userInfo": _ROOT},
        {"allowed": True, "decision": {"allowed": True}},
        {"options": {"fieldManager": "warden"}, "oldObject": _thing(annotations={"a": "1"})},
        {"namespace": "kube-system", "name": "other"},
        {"requestKind": {"group": "", "version": "v1", "kind": "Pod"}},
    ],
)
def test_what_stands_beside_the_object(attacked: Attacked, forged: dict[str, Any]) -> None:
    """OPA gets the object and nothing else, so nothing else can change its answer."""
    webhook, opa = attacked
    answer = webhook.send(review(_thing(), **forged)).json()["response"]

    assert (False, "no") == (answer["allowed"], answer["status"]["message"])
    assert [{"input": _thing()}] == [json.loads(body) for body in opa.bodies]


def test_an_answer_inside_the_review(attacked: Attacked) -> None:
    """A response that somebody has put there is not passed on, nor the uid of another review."""
    webhook, _ = attacked
    whole = review(_thing(uid="of-another"), uid="own")
    whole["response"] = {"uid": "of-another", "allowed": True}
    answer = webhook.send(whole).json()

    assert {"apiVersion", "kind", "response"} == set(answer)
    assert ("own", False) == (answer["response"]["uid"], answer["response"]["allowed"])


def test_too_large(attacked: Attacked) -> None:
    """A body that no API server sends is not read to its end, an object that OPA is not sent is refused by its size."""
    webhook, opa = attacked
    body = webhook.send(review(_thing(labels={"a": "x" * (9 * 1024 * 1024)})))
    thing = webhook.send(review(_thing(labels={"a": "x" * (5 * 1024 * 1024)}))).json()["response"]

    assert 413 == body.status_code
    assert (False, 403) == (thing["allowed"], thing["status"]["code"])
    assert "more than the 4,194,304 that are sent to OPA" in thing["status"]["message"]
    assert [] == opa.bodies


@pytest.mark.parametrize("number", ["1e99999999", "-1e400", "NaN", "Infinity"])
def test_a_number_that_not_all_readers_share(attacked: Attacked, number: str) -> None:
    """The object is refused with the reason, and OPA, which would fail at it, gets nothing."""
    webhook, opa = attacked
    body = json.dumps(review(_thing(labels={"a": 12345}))).replace("12345", number)
    answer = webhook.send(body.encode()).json()["response"]

    assert (False, 403) == (answer["allowed"], answer["status"]["code"])
    assert "a number beyond those of a double" in answer["status"]["message"]
    assert [] == opa.bodies


@pytest.mark.parametrize(
    "path", ["/", "/mutate/", "/mutate/../v1/data", "//mutate", "/v1/data/kafka/decision", "/MUTATE"]
)
def test_another_path(attacked: Attacked, path: str) -> None:
    """Nothing is there, and OPA hears of nothing."""
    webhook, opa = attacked
    url, authority = f"https://{webhook.address}{path}", str(webhook.authority.certificate)
    prepared = requests.Request("POST", url, data=json.dumps(review(_thing()))).prepare()
    prepared.url = url  # as it stands: requests would walk up the path itself
    with requests.Session() as session:
        assert 404 == session.send(prepared, verify=authority, timeout=PATIENCE).status_code
    assert 405 == requests.get(f"https://{webhook.address}/mutate", verify=authority, timeout=PATIENCE).status_code
    assert [] == opa.bodies


@pytest.mark.parametrize("timeout", ["-1s", "0s", "nans", "1e9s", "9999999999999999999999s", "1s&timeout=600s", "%00"])
def test_a_time_that_nobody_waits(attacked: Attacked, timeout: str) -> None:
    """It is no reason to admit anything."""
    webhook, _ = attacked
    answer = webhook.send(review(_thing()), timeout=timeout).json()["response"]

    assert not answer["allowed"]


def test_operations_that_no_api_server_has(attacked: Attacked) -> None:
    """However many there are, they are one in the metrics."""
    webhook, _ = attacked
    for number in range(9):
        webhook.send(review(_thing(), operation=f"FORGED-{number}"))
    text = requests.get(
        f"https://{webhook.address}/metrics", verify=str(webhook.authority.certificate), timeout=PATIENCE
    ).text

    assert 'warden_webhook_reviews_total{operation="other",result="passed"} 9.0' in text
    assert "FORGED" not in text


def test_names_forge_no_line_of_the_log(attacked: Attacked) -> None:
    """A name with a line end, and with what ends a JSON text, stands in one line, as a text."""
    webhook, _ = attacked
    forged = 'a\n{"message": "allowed", "object": "b"}\r\x1b[2J"}'
    webhook.send(review(_thing(), name=forged, uid=forged))
    lines = webhook.log.read_text(encoding="utf-8").splitlines()

    assert all(line.startswith('{"time": ') for line in lines if line)
    (own,) = (line for line in webhook.lines() if line.get("uid") == forged)
    assert ("denied", f"web/{forged}") == (own["message"], own["object"])
    assert [] == [line for line in webhook.lines() if line["message"] == "allowed" and line.get("object") == "b"]
