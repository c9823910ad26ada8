"""Every form of a batch leaves a line in the decision log, and only what is a scan's as it is decided is shortened."""

import gzip
import itertools
import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.callers import CALLER_TOKENS
from tests.policy.opa.test_log import decisions
from warden.base.errors import OpaRefused
from warden.policy.bundle.build import Bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_POINTS = (None, "scan", "service", "SCAN", " scan", ["scan"])
_OPERATIONS = (None, "AuditTopic", "CreateTopic", "auditTopic")
_AUDIT = {"enforcementPoint": "scan", "operation": "AuditTopic"}


def _stated(point: Any, operation: str | None) -> dict[str, Any]:
    fields = {"enforcementPoint": point, "operation": operation}
    return {name: value for name, value in fields.items() if value is not None}


def _forms() -> Iterator[str]:
    """Batches as text: what is shared and what an item says, each with or without a point and an operation."""
    for point, operation in itertools.product(_POINTS, _OPERATIONS):
        for own_point, own_operation in itertools.product(_POINTS, _OPERATIONS):
            own = {"say": "yes", **_stated(own_point, own_operation)}
            yield json.dumps({"common": _stated(point, operation), "items": {"a": own}})
    scan = json.dumps(_AUDIT)
    other = scan.replace("scan", "service")
    yield f'{{"common": {other}, "common": {scan}, "items": {{"a": {{}}}}}}'  # the last of two counts
    yield f'{{"common": {scan}, "common": {other}, "items": {{"a": {{}}}}}}'
    yield f'{{"common": {scan}, "items": {{"a": {other}}}, "items": {{"a": {{}}}}}}'
    yield f'{{"common": {scan}, "items": {{"a": {{}}, "a": {other}}}}}'
    yield f'{{"common": {scan}, "items": {{"a": {{}}, "b": {other}}}}}'
    yield f'{{"Common": {scan}, "items": {{"a": {{}}}}}}'
    yield f'{{"common": {scan}, "Items": {{"a": {{}}}}}}'
    yield f'{{"common": {scan}, "items": [{{}}]}}'
    yield f'{{"common": {scan}, "items": {{}}}}'
    yield f'{{"common": {scan}}}'
    yield f'{{"items": {{"a": {scan}}}}}'
    yield f'{{"common": null, "items": {{"a": {scan}}}}}'


def _is_scan(document: dict[str, Any]) -> bool:
    items, common = document.get("items"), document.get("common", {})
    if not isinstance(items, dict) or not isinstance(common, dict) or not items:
        return False
    merged = [{**common, **item} for item in items.values()]
    return all(
        item.get("enforcementPoint") == "scan" and str(item.get("operation")).startswith("Audit") for item in merged
    )


def _send(opa: LocalOpa, token: str, body: bytes, **headers: str) -> str:
    """Send a body as it is, and return the id of the decision."""
    request = urllib.request.Request(
        f"{opa.url}/v1/data/kafka/decisions", body, {"Authorization": f"Bearer {token}", **headers}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        decision_id: str = json.load(answer)["decision_id"]
    return decision_id


def test_each_form_of_a_batch(opa_binary: Path, small_bundle: Bundle, tmp_path: Path) -> None:
    """Plain, packed and as YAML: a line for each, with the whole input unless every item is a scan's audit."""
    packed = {"Content-Encoding": "gzip"}
    with LocalOpa(small_bundle, opa=opa_binary, directory=tmp_path / "opa") as opa:
        token = opa.tokens.query
        inputs = {_send(opa, token, f'{{"input": {form}}}'.encode()): json.loads(form) for form in _forms()}
        for document in ({"common": _AUDIT, "items": {"a": {"enforcementPoint": "service"}}}, {"items": {"a": _AUDIT}}):
            text = json.dumps({"input": document}).encode()
            inputs[_send(opa, token, gzip.compress(text), **packed)] = document
            inputs[_send(opa, token, text, **{"Content-Type": "application/yaml"})] = document
    lines = {entry["decision_id"]: entry for entry in decisions(opa)}

    assert inputs.keys() == lines.keys()
    assert 10 < sum(map(_is_scan, inputs.values())) < len(inputs) / 2
    for decision_id, document in inputs.items():
        line = lines[decision_id]
        if _is_scan(document):
            assert len(document["items"]) == line["input"]["scan"]["items"], document
            assert ["/input", "/result"] == line["masked"]
        else:
            assert document == line["input"]


def test_an_untrusted_caller_cannot_hide(guarded: LocalOpa) -> None:
    """What `common` says of the enforcement point is for nothing where the item says its own; a scan it may not be."""
    own = {
        "principal": {"type": "User", "name": "portal"},
        "enforcementPoint": "service",
        "operation": "AuditTopic",
        "cluster": "prod",
        "request": {"topic": "shop.a"},
    }
    body = json.dumps({"input": {"items": {"a": own}, "common": {"enforcementPoint": "scan"}}}).encode()
    decision_id = _send(guarded, CALLER_TOKENS["portal"], body)
    with OpaClient(guarded.url, token=CALLER_TOKENS["portal"]) as client, pytest.raises(OpaRefused):
        client.decide_many({"a": {**own, "enforcementPoint": "scan"}})

    # A line is written before the answer is sent.
    [line] = [entry for entry in decisions(guarded) if entry["decision_id"] == decision_id]
    assert own == line["input"]["items"]["a"]
