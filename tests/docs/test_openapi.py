"""The OpenAPI document: it is whole, and questions to a real OPA and its answers are as it says."""

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.schemas import validator
from tests.rego.contract.documents import VALID
from warden.base.http.ports import find_free_port
from warden.base.process.child_process import Process
from warden.policy.opa.item_size import MAX_BODY_BYTES
from warden.policy.opa.local import LocalOpa

DOCUMENT: dict[str, Any] = yaml.safe_load((CHECKOUT / "docs/reference/openapi.yaml").read_text(encoding="utf-8"))
EXAMPLE: dict[str, Any] = json.loads((CHECKOUT / "docs/examples/create-topic.json").read_text(encoding="utf-8"))
DECISION, DECISIONS, HEALTH = "/v1/data/kafka/decision", "/v1/data/kafka/decisions", "/health"


def references(node: Any) -> Iterator[str]:
    """Every ``$ref`` below a node."""
    if isinstance(node, dict):
        yield from (value for key, value in node.items() if key == "$ref")
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from references(child)


def find(pointer: str) -> Any:
    """What stands at a place of the document."""
    found: Any = DOCUMENT
    for step in pointer.removeprefix("#/").split("/"):
        found = found[step.replace("~1", "/").replace("~0", "~")]
    return found


def mistakes(schema: Any, document: Any) -> list[str]:
    """What of a document is not as a schema of the OpenAPI document says."""
    whole = {"components": DOCUMENT["components"], **schema}
    return [error.message for error in validator(whole).iter_errors(document)]


def operation(path: str) -> Any:
    """The one operation of a path."""
    (only,) = DOCUMENT["paths"][path].values()
    return only


def question_schema(path: str) -> Any:
    """The schema of a request's body."""
    return operation(path)["requestBody"]["content"]["application/json"]["schema"]


def answer_schema(path: str, status: int) -> Any:
    """The schema of an answer with a status."""
    return operation(path)["responses"][str(status)]["content"]["application/json"]["schema"]


def ask(url: str, path: str, body: bytes | None, token: str = "") -> tuple[int, Any]:
    """Status and document of an answer."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        request = urllib.request.Request(f"{url}{path}", body, headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_the_document_is_whole() -> None:
    """Each reference leads somewhere, each schema is one, each example is as its schema says, ids differ."""
    contents = [
        content
        for path in DOCUMENT["paths"]
        for part in (operation(path).get("requestBody", {}), *operation(path)["responses"].values())
        for content in part.get("content", {}).values()
    ]

    assert "3.1.0" == DOCUMENT["openapi"]
    assert str(MAX_BODY_BYTES) in operation(DECISION)["responses"]["400"]["description"]
    assert [] == [one for one in references(DOCUMENT) if not one.startswith("#/") or not find(one)]
    for schema in DOCUMENT["components"]["schemas"].values():
        validator({}).check_schema(schema)
    assert [] == [
        mistake for one in contents if "example" in one for mistake in mistakes(one["schema"], one["example"])
    ]
    ids = [operation(path)["operationId"] for path in DOCUMENT["paths"]]
    assert len(ids) == len(set(ids))


def test_the_schemas_are_the_contracts() -> None:
    """Every valid decision input of the contract's tests is one here, and one that is spoiled is none."""
    schema = find("#/components/schemas/DecisionInput")
    spoiled = [{**document, "clustr": "c"} for document in VALID.values()]
    wrong = [{**document, "request": {**document["request"], "nothing": 1}} for document in VALID.values()]

    assert [[]] * len(VALID) == [mistakes(schema, document) for document in VALID.values()]
    assert all(mistakes(schema, document) for document in (*spoiled, *wrong))


@pytest.mark.opa
@pytest.mark.parametrize("path", [DECISION, DECISIONS])
def test_a_decision(opa: LocalOpa, path: str) -> None:
    """The example's input and OPA's answer are as the document says; an answer that has more is not."""
    example = operation(path)["requestBody"]["content"]["application/json"]["example"]
    status, answer = ask(opa.url, f"{path}?metrics&provenance", json.dumps(example).encode(), opa.tokens.query)

    assert (200, []) == (status, mistakes(question_schema(path), example))
    assert [] == mistakes(answer_schema(path, 200), answer)
    assert {"decision_id", "metrics", "provenance", "result"} == answer.keys()
    decisions = {"wide": answer["result"]} if path == DECISION else answer["result"]
    assert {"narrow": True, "wide": False}.items() >= {key: one["allowed"] for key, one in decisions.items()}.items()
    decisions["wide"]["allwed"] = True
    assert mistakes(answer_schema(path, 200), answer)


@pytest.mark.opa
@pytest.mark.parametrize("name", sorted(VALID))
def test_a_decision_about_each_operation(opa: LocalOpa, name: str) -> None:
    """What OPA answers about it is a decision as the document says."""
    body = json.dumps({"input": VALID[name]}).encode()

    status, answer = ask(opa.url, DECISION, body, opa.tokens.query)

    assert (200, []) == (status, mistakes(answer_schema(DECISION, 200), answer))


@pytest.mark.opa
def test_what_is_no_decision(opa: LocalOpa) -> None:
    """Statuses and answers of OPA where it gets a wrong question; without an input nothing is allowed."""
    good, query, admin = json.dumps({"input": EXAMPLE}).encode(), opa.tokens.query, opa.tokens.admin
    given = {
        "none": ask(opa.url, DECISION, good),
        "another's": ask(opa.url, DECISION, good, admin),
        "read": ask(opa.url, DECISION, None, query),
        "explained": ask(opa.url, f"{DECISION}?explain=full", good, query),
        "broken": ask(opa.url, DECISION, b'{"input": {', query),
    }

    assert {"none": 401, "another's": 401, "read": 401, "explained": 401, "broken": 400} == {
        name: status for name, (status, _) in given.items()
    }
    for status, answer in given.values():
        assert [] == mistakes(answer_schema(DECISION, status), answer)
    shown = operation(DECISION)["responses"]
    for name in ("none", "broken"):
        status, answer = given[name]
        assert shown[str(status)]["content"]["application/json"]["example"] == answer
    status, answer = ask(opa.url, DECISION, b"{}", query)
    assert (200, False, True) == (status, answer["result"]["allowed"], answer["result"]["invalidInput"])
    assert [] == mistakes(answer_schema(DECISION, 200), answer)


@pytest.mark.opa
def test_health(opa: LocalOpa) -> None:
    """Without a token, as the probes of deploy/kubernetes ask."""
    parameters = [parameter["name"] for parameter in operation(HEALTH)["parameters"]]
    probes = (CHECKOUT / "deploy/kubernetes/base/opa.yaml").read_text(encoding="utf-8")

    for path in (HEALTH, f"{HEALTH}?{'&'.join(parameters)}"):
        status, answer = ask(opa.url, path, None)
        assert (200, []) == (status, mistakes(answer_schema(HEALTH, 200), answer))
        assert f"path: {path}," in probes.replace('"', "")


@pytest.fixture
def bare_opa(opa_binary: Path, tmp_path: Path) -> Iterator[str]:
    """The address of an OPA with the configuration that ships, whose bundle nobody serves."""
    port = find_free_port()
    names = ("URL", "PATH", "TOKEN", "POLL_SECONDS", "KEY_ID", "KEY_ALGORITHM", "KEY")
    values = ("http://127.0.0.1:1", "bundle.tar.gz", "", "60", "warden", "HS256", "a-secret-of-a-test")
    environment = {f"WARDEN_BUNDLE_{name}": value for name, value in zip(names, values, strict=True)}
    arguments = ["run", "--server", "--config-file", str(CHECKOUT / "deploy/opa-config.yaml"), "--skip-version-check"]
    arguments += ["--authentication=token", "--authorization=basic", f"--addr=127.0.0.1:{port}"]
    environment |= {"HOME": str(tmp_path), "WARDEN_OPA_DIRECTORY": str(tmp_path)}
    process = Process([str(opa_binary), *arguments], environment, tmp_path / "log")
    try:
        eventually(partial(_is_open, port), "OPA listens")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.stop()


def _is_open(port: int) -> bool:
    with socket.socket() as opened:
        return opened.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.opa
def test_without_a_bundle(bare_opa: str) -> None:
    """An OPA that has none decides nothing and is not well: 500, in the words of the document."""
    given = [ask(bare_opa, path, b"{}" if path == DECISION else None) for path in (DECISION, HEALTH)]

    shown = operation(DECISION)["responses"]["500"]["content"]["application/json"]["example"]
    assert [(500, shown)] * 2 == given
