"""Every way to a placement comes to the one that the suite expects."""

import base64
import json
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from tests.conformance.build_placement import made
from tests.conformance.run import CLUSTERS, PLACEMENT, differences, main, placement_expectation, read_cases
from tests.enforce.webhook.process import WebhookProcess
from tests.enforce.webhook.test_review import applied, review
from tests.fixtures.patience import PATIENCE
from warden.commands import place
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.opa import evaluate_opa
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

Cases = list[dict[str, Any]]
Way = Callable[[dict[str, Any]], dict[str, Any]]

_ADMISSION = "io/k8s/federation/admission"


@pytest.fixture(scope="module")
def placements() -> Cases:
    """All of them."""
    return read_cases(PLACEMENT)


@pytest.fixture(scope="module")
def placing_opa(opa_binary: Path, shipped_bundle: Bundle) -> Iterator[LocalOpa]:
    """An OPA that has the suite's clusters."""
    with LocalOpa(shipped_bundle, opa=opa_binary) as running:
        with running.build_client(running.tokens.replicator) as client:
            client.put_data(["kubernetes"], {"clusters": json.loads(CLUSTERS.read_text())})
        yield running


@pytest.fixture(scope="module")
def asks(placing_opa: LocalOpa) -> Iterator[OpaClient]:
    """A client of it."""
    with placing_opa.build_client() as client:
        yield client


def _differences(cases: Cases, decide: Way) -> list[str]:
    return list(differences(cases, decide, placement_expectation))


def test_it_is_as_its_maker_says(placements: Cases) -> None:
    """And has what is denied, what is placed on some and on all clusters, and what nothing is said about."""
    assert list(made()) == placements
    kinds = Counter(str(case["expected"]["clusters"]) for case in placements if case["expected"]["allowed"])
    assert 51 == len(placements) == len({case["title"] for case in placements})
    assert 5 <= len(kinds)
    assert "None" in kinds
    assert any(not case["expected"]["allowed"] for case in placements)


def test_opa_eval(placements: Cases, opa_binary: Path, shipped_bundle: Bundle, tmp_path: Path) -> None:
    """Without a server."""
    (tmp_path / "clusters.json").write_text(json.dumps({"kubernetes": {"clusters": json.loads(CLUSTERS.read_text())}}))
    (tmp_path / "input.json").write_text(json.dumps({"items": {case["id"]: case["input"] for case in placements}}))
    files = ("--data", str(tmp_path / "clusters.json"), "--input", str(tmp_path / "input.json"))
    bundle = ("--bundle", str(shipped_bundle.path))
    answers = evaluate_opa(opa_binary, *bundle, *files, "data.io.k8s.federation.admissions")
    by_id = {case["id"]: placement_expectation(case["input"], answers[case["id"]]) for case in placements}

    assert {case["id"]: case["expected"] for case in placements} == by_id


def test_the_rest_api(placements: Cases, asks: OpaClient) -> None:
    """One by one, and all at once."""
    ids = {json.dumps(one["input"]): one["id"] for one in placements}
    answers = asks.evaluate("io/k8s/federation/admissions", {"items": {one["id"]: one["input"] for one in placements}})

    assert [] == _differences(placements, lambda thing: asks.evaluate(_ADMISSION, thing))
    assert [] == _differences(placements, lambda thing: answers[ids[json.dumps(thing)]])


def test_the_command(placements: Cases, placing_opa: LocalOpa, tmp_path: Path) -> None:
    """`warden place`: what it says, and what it would store."""
    options = ["--opa-url", placing_opa.url, "--opa-token", placing_opa.tokens.query]

    def run(thing: dict[str, Any], *more: str) -> Any:
        (tmp_path / "thing.json").write_text(json.dumps(thing))
        arguments = [str(tmp_path / "thing.json"), *options, *more]
        return CliRunner().invoke(place.command, arguments, standalone_mode=False)

    wrong = []
    for case in placements:
        said = run(case["input"], "--output", "json")
        (found,) = json.loads(said.stdout)
        stored = run(case["input"], "--target", "annotation")
        admission = {"errors": found["errors"], "annotations": _annotations(stored.stdout)}
        if (
            case["expected"] != placement_expectation(case["input"], admission)
            or found["allowed"] != case["expected"]["allowed"]
            or said.return_value != stored.return_value
            or said.return_value != int(not found["allowed"])
        ):
            wrong.append(f"{case['id']} {case['title']}: {admission}")
    assert [] == wrong


def _annotations(text: str) -> dict[str, Any]:
    stored = yaml.safe_load(text)
    return {} if stored is None else dict(stored["metadata"]["annotations"])


def test_the_webhook(placements: Cases, placing_opa: LocalOpa, tmp_path: Path) -> None:
    """`/mutate` of `warden webhook`: the object after the patch, or 403."""
    (tmp_path / "token").write_text(placing_opa.tokens.query)

    config = f"opa: {{url: '{placing_opa.url}', token: {{file: token}}, timeout: {PATIENCE:g}}}\n"
    with WebhookProcess(tmp_path, config) as webhook:

        def admit(thing: dict[str, Any]) -> dict[str, Any]:
            answer = webhook.send(review(thing)).json()["response"]
            if not answer["allowed"]:
                return {"errors": [answer["status"]["message"]]}
            patch = json.loads(base64.b64decode(answer.get("patch", b"W10=")))
            return {"annotations": applied(thing["metadata"], patch)["annotations"]}

        assert [] == _differences(placements, admit)


def test_the_runner(placing_opa: LocalOpa, capsys: pytest.CaptureFixture[str]) -> None:
    """What others point at theirs, at an enforcement point that is right and at one that allows everything."""
    url = f"{placing_opa.url}/v1/data/{_ADMISSION}"
    assert 0 == main(["--placement", "--url", url, "--token", placing_opa.tokens.query, "--every", "7"])
    assert "8 cases, 0 differences" in capsys.readouterr().out
    careless = shlex.join([sys.executable, "-c", "print('{\"annotations\": {}}')"])
    assert 1 == main(["--placement", "--command", careless, "--every", "7"])
    assert "0 differences" not in capsys.readouterr().out
