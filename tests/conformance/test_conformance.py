"""Every way to a decision comes to the one that the suite expects."""

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
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conformance.build import MODES
from tests.conformance.requests import as_file, as_request
from tests.conformance.run import differences, expectation, main
from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.operations import operations
from tests.rego.contract.documents import VALID, places, spoiled
from warden.analyse.check.decisions import ClusterContext, decide_declarations
from warden.analyse.check.files import iter_content_declarations
from warden.analyse.check.model import FileContents
from warden.enforce.sdk.warden import Warden
from warden.policy.adapter.parse import parse_request
from warden.policy.adapter.request_types import REQUEST_TYPES, RESOURCE_TYPES
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.opa import evaluate_opa
from warden.policy.opa.client import OpaClient
from warden.policy.opa.endpoints import RemoteOpa
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

Cases = list[dict[str, Any]]
Way = Callable[[dict[str, Any]], dict[str, Any]]

_FEW = 4  # every so many cases are evaluated by `opa eval` in a plain run
_SOME = 12  # every so many cases go the ways that take a request or a process for each
_PLACES = [(operation, path) for operation, document in VALID.items() for path in places(document)]
_VALUES: st.SearchStrategy[Any] = st.none() | st.booleans() | st.integers() | st.text() | st.just({}) | st.just([])


def test_the_suite_is_whole(cases: Cases) -> None:
    """At least 200 cases: each operation at each mode, each allowed and refused, every effect, ids of their own."""
    seen = {(case["input"]["operation"], case["input"]["enforcementPoint"]) for case in cases}
    allowed = {(case["input"]["operation"], case["expected"]["allowed"]) for case in cases}
    effects = Counter(each["effect"] for case in cases for each in case["expected"]["violations"])

    assert len(cases) >= 200
    assert {(operation, mode) for operation in operations() for mode in MODES} <= seen
    assert {(operation, False) for operation in operations()} <= allowed
    assert {"deny", "warn", "dryrun", "waived"} == effects.keys()
    assert len(cases) == len({case["id"] for case in cases}) == len({case["title"] for case in cases})


def test_opa_eval(cases: Cases, opa_binary: Path, conformance_bundle: Bundle, tmp_path: Path) -> None:
    """Without a server, some of them."""
    assert [] == _evaluated(cases[::_FEW], opa_binary, conformance_bundle, tmp_path)


@pytest.mark.oracle
def test_opa_eval_of_all(cases: Cases, opa_binary: Path, conformance_bundle: Bundle, tmp_path: Path) -> None:
    """Each of them."""
    assert [] == _evaluated(cases, opa_binary, conformance_bundle, tmp_path)


def _evaluated(cases: Cases, opa: Path, bundle: Bundle, directory: Path) -> list[str]:
    path = directory / "input.json"
    path.write_text(json.dumps({"items": {case["id"]: case["input"] for case in cases}}))
    query = "{id: decision | some id, item in input.items; decision := data.kafka.decision with input as item}"
    arguments = ("--bundle", str(bundle.path), "--input", str(path), query)
    return _differences(cases, evaluate_opa(opa, *arguments))


def test_a_batch(cases: Cases, client: OpaClient) -> None:
    """The REST API, many at once."""
    assert [] == _differences(cases, client.decide_many({case["id"]: case["input"] for case in cases}))


def _differences(cases: Cases, decisions: dict[str, Any]) -> list[str]:
    by_input = {json.dumps(case["input"]): decisions[case["id"]] for case in cases}
    return list(differences(cases, lambda document: by_input[json.dumps(document)]))


@pytest.fixture
def ways(client: OpaClient, conformance_opa: LocalOpa, tmp_path: Path) -> dict[str, Way]:
    """The ways that take one decision input and give one decision."""
    from warden.commands.decide import command

    options = ["--opa-url", conformance_opa.url, "--opa-token", conformance_opa.tokens.query]
    file = tmp_path / "input.json"

    def command_line(document: dict[str, Any]) -> dict[str, Any]:
        file.write_text(json.dumps(document))
        result = CliRunner().invoke(command, [str(file), "--output", "json", *options], standalone_mode=False)
        decision: dict[str, Any] = json.loads(result.output)
        assert (2 if decision.get("invalidInput") else int(not decision["allowed"])) == result.return_value
        return decision

    def typed(document: dict[str, Any]) -> dict[str, Any]:
        point = document["enforcementPoint"]
        warden = Warden(client, cluster=document["cluster"], enforcement_point=point)
        rest = {key: value for key, value in document.items() if key not in {"cluster", "enforcementPoint"}}
        (decision,) = warden.decide_many({"it": rest}).values()
        assert bool(decision) is decision.document["allowed"]
        return dict(decision.document)

    return {"REST": client.decide, "warden decide": command_line, "Warden": typed}


@pytest.mark.parametrize("name", ["REST", "warden decide", "Warden"])
def test_one_by_one(name: str, cases: Cases, ways: dict[str, Way]) -> None:
    """Some of them; `test_all_one_by_one` takes all."""
    assert [] == list(differences(cases[::_SOME], ways[name]))


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["REST", "warden decide", "Warden"])
def test_all_one_by_one(name: str, cases: Cases, ways: dict[str, Way]) -> None:
    """Each of them."""
    assert [] == list(differences(cases, ways[name]))


def test_the_adapter(cases: Cases, client: OpaClient) -> None:
    """A request of Kafka's protocol becomes the same decision input, and the same decision."""
    made = list(_requests(cases))
    decisions = client.decide_many({case["id"]: document for case, document in made})

    assert {row.operation for row in REQUEST_TYPES.values() if row.operation} | {
        operation for operation, _ in RESOURCE_TYPES.values()
    } == {case["input"]["operation"] for case, _ in made}
    assert len(made) >= 100
    assert [] == [case["title"] for case, _ in made if expectation(decisions[case["id"]]) != case["expected"]]


def _requests(cases: Cases) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Cases with what the adapter makes of them; of what a request cannot say it makes nothing."""
    for case in cases:
        document = case["input"]
        deletes_more = document["request"].get("topicsInRequest", 1) != 1
        if deletes_more or case["expected"]["error"] == "INVALID_REQUEST" or (request := as_request(document)) is None:
            continue
        (item,) = parse_request(*request).items.values()
        if item.input is not None:
            yield case, {**document, **item.input}


def test_files(cases: Cases, client: OpaClient) -> None:
    """`warden check` of a file comes to the decision about the request that it stands for."""
    found, wrong = 0, []
    for case in cases[::3]:
        document = case["input"]
        if (form := as_file(document)) is None:
            continue
        contents = FileContents()
        contents.add(iter_content_declarations(yaml.safe_dump(form).encode(), Path("f.yaml")))
        assert [] == contents.faults, case["title"]
        common = {key: document[key] for key in ("enforcementPoint", "now")}
        clusters = {document["cluster"]: ClusterContext(document["cluster"], document.get("clusterState") or {})}
        (one,), _, _ = decide_declarations(client, contents.declared, clusters, common)
        found += 1
        wrong += [case["title"]] if expectation(dict(one.decision)) != case["expected"] else []

    assert [] == wrong
    assert found >= 20


@pytest.mark.oracle
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(spoilings=st.lists(st.tuples(st.sampled_from(_PLACES), _VALUES), min_size=20, max_size=20))
def test_generated_inputs(
    spoilings: list[tuple[tuple[str, tuple[str, ...]], Any]], client: OpaClient, ways: dict[str, Way]
) -> None:
    """Whatever a document has in whichever place: all ways come to one decision."""
    documents = [spoiled(VALID[operation], path, value) for (operation, path), value in spoilings]
    decisions = client.decide_many({str(i): document for i, document in enumerate(documents)})
    for document, decision in zip(documents, decisions.values(), strict=True):
        for way in ("REST", "warden decide"):
            assert expectation(decision) == expectation(ways[way](document)), document


@pytest.mark.oracle
def test_spark(cases: Cases, conformance_opa: LocalOpa, conformance_bundle: Bundle, spark: Any) -> None:
    """Rows that Spark sends to OPA: the same status, and the same violations with their effects."""
    from spark_jobs.scan.opa_udf import evaluate_inputs
    from warden.analyse.scan.evaluate import ScanJob

    rows = [("all", case["id"], json.dumps(case["input"]), "kafka/decisions") for case in cases]
    items = spark.createDataFrame(rows, "common string, hash string, item string, path string")
    job = ScanJob("conformance", conformance_bundle.revision, {"all": "{}"})
    endpoint = RemoteOpa(conformance_opa.url, conformance_opa.tokens.query)
    decided = {row.hash: row for row in evaluate_inputs(items, job, endpoint).collect()}

    assert len(cases) == len(decided)
    for case in cases:
        row, expected = decided[case["id"]], case["expected"]
        denied = "deny" in {each["effect"] for each in expected["violations"]}
        refused = "DENY" if denied else "ERROR"  # what no rule denies is not evaluated in a scan
        assert ("ALLOW" if expected["allowed"] else refused) == row.status, case["title"]
        assert row.status == "ERROR" or _pairs(expected["violations"]) == _pairs(row.violations), case["title"]


def _pairs(violations: Any) -> set[tuple[str, str]]:
    return {(each["rule"], each["effect"]) for each in violations}


def test_the_runner(conformance_opa: LocalOpa, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Whoever has an enforcement point of its own runs the suite against a URL, or a command; what differs is named."""
    url = ["--url", f"{conformance_opa.url}/v1/data/kafka/decision", "--every", "60"]
    always = tmp_path / "always.py"
    always.write_text('print(\'{"allowed": true, "error": null, "violations": []}\')')
    command = ["--command", shlex.join([sys.executable, "-S", str(always)]), "--every", "90"]

    assert 0 == main([*url, "--token", conformance_opa.tokens.query])
    assert " 0 differences" in capsys.readouterr().out
    assert 2 == main([*url, "--token", "wrong"])
    assert 1 == main(command)
    assert "got {'allowed': True" in capsys.readouterr().out


def test_the_runner_needs_python_alone() -> None:
    """It is copied to where nothing of ours is."""
    text = (CHECKOUT / "tests" / "conformance" / "run.py").read_text(encoding="utf-8")
    imported = {
        line.split()[1].partition(".")[0] for line in text.splitlines() if line.startswith(("from ", "import "))
    }

    assert imported <= sys.stdlib_module_names
