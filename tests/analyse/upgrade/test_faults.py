"""An upgrade check where OPA fails; without an OPA, which fails so where a policy is broken."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from warden.analyse.upgrade.snapshot_upgrade import StoredConfigs, Upgrade, iter_findings
from warden.base.errors import OpaEvaluationError, OpaUndefined, OpaUnreachable, ScanError, WardenError

UPGRADE = Upgrade("3.9", "4.2", [], "r1")
ROWS = [StoredConfigs("c", "topic", f"t-{name}", {name: "1"}) for name in ("a", "b", "c", "bad", "d")]


def post(evaluate: Callable[[Mapping[str, Any]], Any]) -> Callable[[str, bytes], bytes]:
    """A transport to an OPA that answers an input so."""
    return lambda _, body: json.dumps({"result": evaluate(json.loads(body)["input"])}).encode()


def test_a_row_that_opa_fails_on_is_named() -> None:
    """Its neighbours are evaluated, and nothing is said of any cluster in the end."""
    evaluated = []

    def evaluate(document: Mapping[str, Any]) -> Any:
        names = [next(iter(item["configs"])) for item in document["items"].values()]
        if "bad" in names:
            raise OpaEvaluationError("no memory", code="internal_error")
        evaluated.extend(names)
        return {"errors": [], "findings": {key: [] for key in document["items"]}, "revision": "r1"}

    with pytest.raises(OpaEvaluationError, match=r"^topic t-bad of cluster c: internal_error: no memory$"):
        list(iter_findings(ROWS, UPGRADE, post(evaluate)))

    assert ["a", "b", "c"] == evaluated


@pytest.mark.parametrize("in_flight", [1, 2])
@pytest.mark.parametrize(
    ("fields", "error", "said"),
    [
        ({"findings": {}}, OpaUndefined, "left out some of its inputs"),
        ({"findings": None}, OpaUndefined, "left out some of its inputs"),
        ({"revision": "r2"}, ScanError, "the policy changed during the check, from revision r1 to r2: run it again"),
    ],
)
def test_answers_that_cannot_be_used(
    fields: Mapping[str, Any], error: type[WardenError], said: str, in_flight: int
) -> None:
    """What was not answered was not decided, nor what another bundle answered."""

    def evaluate(document: Mapping[str, Any]) -> Any:
        return {"errors": [], "findings": {key: [] for key in document["items"]}, "revision": "r1", **fields}

    with pytest.raises(error, match=said):
        list(iter_findings(ROWS, UPGRADE, post(evaluate), in_flight=in_flight))


@pytest.mark.parametrize(
    ("answer", "error"), [(b"{}", OpaUndefined), (b'{"result": {}}', OpaUndefined), (b"<html>", OpaUnreachable)]
)
def test_answers_of_another_program(answer: bytes, error: type[WardenError]) -> None:
    """An OPA without the bundle, and what is no OPA."""
    with pytest.raises(error):
        list(iter_findings(ROWS, UPGRADE, lambda _path, _body: answer))


def test_an_item_of_any_size() -> None:
    """What a cluster has stored may be larger than a decision input: OPA says whether it takes it."""
    large = StoredConfigs("c", "acl", "User:a", {"x" * 5_000_000: "*"})
    empty = post(lambda document: {"errors": [], "findings": {key: [] for key in document["items"]}, "revision": "r1"})

    assert [] == list(iter_findings([large], UPGRADE, empty))
