"""JSON Schemas of the contract: they are what the engine checks with, and refuse what it refuses."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.bench.decisions.decision_inputs import decision_inputs, state
from tests.fixtures.case_counts import sample_or_all
from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.schemas import validator
from tests.fixtures.seed import SEED
from tests.rego.contract.documents import VALID
from tests.rego.contract.requests import DOCUMENTS, mutants, unmutated
from tests.rego.rules.examples import read_examples
from tools.schemas import generate_schemas, render_schema
from warden.base.resources import find_shipped
from warden.policy.bundle.layers import read_effective_settings
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.opa import evaluate_opa
from warden.policy.contract.schemas import SCHEMAS, build_decision_input_schema, read_schema
from warden.policy.opa.client import OpaClient

pytestmark = pytest.mark.opa

# The engine's words for what is wrong with the form of a document (policies/kafka/base/request/errors.rego).
FORM = re.compile(
    r"^(request\.)?[A-Za-z]+"
    r"( is missing: give |: (.* is not |unknown field( \(did you mean .*\?\))?: use |.* is unknown: use ))"
    r"|^the input is "
)

# What the engine refuses beyond what JSON Schema can say, each with the reason.
BEYOND = {
    "days of months differ": {"now": "2026-02-30T10:00:00Z"},
    "OPA's time is counted in nanoseconds, in 64 bits, so that it ends in 2262": {"now": "2500-01-01T00:00:00Z"},
    "and begins in 1677": {"now": "1500-01-01T00:00:00Z"},
}


def decided(client: OpaClient, documents: list[Any]) -> Iterator[dict[str, Any]]:
    """The decision about each document, in their order."""
    yield from client.decide_many({str(i): document for i, document in enumerate(documents)}).values()


def refused_form(decision: dict[str, Any]) -> bool:
    """Whether a decision is about the form of a document."""
    return any(FORM.search(message) for message in decision["errors"])


@cache
def of_contract(name: str) -> Any:
    """What validates by one of the contract's schemas."""
    return validator(read_schema(name))


def wrong(name: str, document: Any) -> list[str]:
    """What is wrong with a document by one of the contract's schemas."""
    return [f"{error.json_path}: {error.message}" for error in of_contract(name).iter_errors(document)]


def test_files_are_what_the_tables_make(opa_binary: Path) -> None:
    """The committed schemas are those that `python -m tools.schemas` writes, and two written by hand beside them."""
    made = {
        f"{name}.json": render_schema(schema)
        for name, schema in generate_schemas(opa_binary, find_shipped("policies")).items()
    }
    files = {path.name: path.read_text("utf-8") for path in find_shipped("schemas").iterdir()}

    assert made | {name: files[name] for name in ("rule_input.json", "topics.json")} == files


@pytest.mark.parametrize("document", SCHEMAS)
def test_schemas_are_schemas(document: str) -> None:
    """Each is JSON Schema 2020-12 with a title and a description."""
    schema = read_schema(document)
    validator(schema).check_schema(schema)

    assert ("https://json-schema.org/draft/2020-12/schema", True, True) == (
        schema["$schema"],
        schema["title"] != "",
        schema["description"] != "",
    )


def test_every_field_of_every_operation_is_there(opa_binary: Path) -> None:
    """Each row of the table has its request, with the row's fields and a description of each."""
    rows = ("--data", str(find_shipped("policies") / "kafka" / "operations"), "data.kafka.operations")
    table = evaluate_opa(opa_binary, *rows)
    schemas = {operation: build_decision_input_schema(operation)["properties"]["request"] for operation in table}

    assert {operation: sorted(row["types"]) for operation, row in table.items()} == {
        operation: sorted(schema["properties"]) for operation, schema in schemas.items()
    }
    assert [] == [
        f"{operation}.{field}"
        for operation, schema in schemas.items()
        for field, of_field in schema["properties"].items()
        if not of_field["description"]
    ]


def test_examples_are_as_the_schemas_say(opa_binary: Path) -> None:
    """Every decision input in docs, tests and beside rules, and the cluster state in them and in the contract."""
    policies = find_shipped("policies")
    rules = [rule for rule in read_rule_metadata(opa_binary, policies).items() if rule[1]["file"].startswith("kafka/")]
    examples = read_examples(policies, {policies / rule["file"]: id for id, rule in rules})
    inputs = {
        **{example.name: {"cluster": "prod", **example.document} for example in examples},
        **{f"bench {operation}": decision_input for operation, decision_input in decision_inputs().items()},
        **{path.name: json.loads(path.read_text("utf-8")) for path in (CHECKOUT / "docs" / "examples").glob("*.json")},
        **VALID,
        **DOCUMENTS,
    }
    page = (CHECKOUT / "docs" / "reference" / "contract.md").read_text("utf-8")
    (described,) = re.findall(r"```json\n(\{\n  \"clusterSize\".*?)```", page, re.DOTALL)
    states = {
        **{name: document["clusterState"] for name, document in inputs.items() if "clusterState" in document},
        "bench": state(),
        "contract.md": json.loads(described),
    }

    assert {} == {name: found for name, document in inputs.items() if (found := wrong("decision-input", document))}
    assert {} == {name: found for name, part in states.items() if (found := wrong("cluster-state", part))}


def test_settings_are_as_the_schema_says(opa_binary: Path) -> None:
    """The shipped settings, and what they are with each profile."""
    policies = find_shipped("policies")
    rules = read_rule_metadata(opa_binary, policies)
    profiles = [
        None,
        *sorted(path.parent.name for path in (find_shipped("bundle") / "profiles").glob("*/profile.yaml")),
    ]
    documents = {profile: read_effective_settings(opa_binary, policies, rules, profile) for profile in profiles}

    assert {} == {profile: found for profile, document in documents.items() if (found := wrong("settings", document))}


def test_waivers_are_as_the_schema_says() -> None:
    """Those that the contract shows; one without its last day is none."""
    page = (CHECKOUT / "docs" / "reference" / "contract.md").read_text("utf-8")
    (described,) = [block for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "waivers:" in block]
    shown = yaml.load(described, Loader=yaml.BaseLoader)["waivers"]

    assert [] == wrong("waivers", shown)
    assert ["$[0]: 'expires' is a required property"] == wrong("waivers", [without(shown[0], "expires")])


def without(document: dict[str, Any], field: str) -> dict[str, Any]:
    """The document without one of its fields."""
    return {key: value for key, value in document.items() if key != field}


def test_valid_documents_are_read(query_client: OpaClient) -> None:
    """Those that are spoiled below are good ones, for the engine and for the schema."""
    names, documents = zip(*unmutated(), strict=True)
    decisions = zip(names, decided(query_client, list(documents)), strict=True)

    assert [] == [name for name, decision in decisions if refused_form(decision)]


@sample_or_all(2_000, 100_000)
def test_schema_and_engine_refuse_the_same(count: int, query_client: OpaClient) -> None:
    """Of more than ten thousand documents with one thing changed, each refuses what the other refuses."""
    changed = list(mutants())
    changes, documents = zip(*random.Random(SEED).sample(changed, min(count, len(changed))), strict=True)
    decisions = list(decided(query_client, list(documents)))
    differing = [
        f"{change}: the schema says {wrong('decision-input', document)}, the engine {decision['errors']}"
        for change, document, decision in zip(changes, documents, decisions, strict=True)
        if of_contract("decision-input").is_valid(document) is refused_form(decision)
    ]

    assert len(changed) >= 10_000
    assert [] == differing[:20]
    assert [] == [found for decision in decisions if (found := wrong("decision", decision))][:20]
    assert [] == [
        change
        for change, decision in zip(changes, decisions, strict=True)
        if refused_form(decision) and decision["allowed"]
    ]


@pytest.mark.parametrize("reason", BEYOND)
def test_what_no_schema_can_say(query_client: OpaClient, reason: str) -> None:
    """The engine refuses it all the same."""
    document = DOCUMENTS["CreateTopic"] | BEYOND[reason]

    assert (True, True) == (
        of_contract("decision-input").is_valid(document),
        refused_form(query_client.decide(document)),
    )


def test_a_schema_of_one_operation_takes_no_other() -> None:
    """`warden bundle schema decision-input --operation` is about that operation alone."""
    validators = {operation: validator(build_decision_input_schema(operation)) for operation in VALID}

    assert {operation: [operation] for operation in VALID} == {
        operation: [other for other, document in VALID.items() if validator.is_valid(document)]
        for operation, validator in validators.items()
    }


@pytest.mark.parametrize(
    ("arguments", "status", "shown"),
    [
        ([], 0, '"title": "Settings"'),
        (["decision"], 0, '"title": "Decision"'),
        (["decision-input", "--operation", "DeleteTopic"], 0, '"const": "DeleteTopic"'),
        (
            ["decision-input", "--operation", "DropTopic"],
            2,
            "unknown operation DropTopic: write AlterTopic, the nearest of",
        ),
        (["decision-inputs"], 2, "Did you mean 'decision-input'?"),
        (["setings"], 2, "Did you mean 'settings'?"),
        (["none"], 2, "'waivers'.\n"),
        (["decision", "--operation", "DeleteTopic"], 2, "--operation is of decision inputs"),
    ],
)
def test_command(arguments: list[str], status: int, shown: str) -> None:
    """`warden bundle schema` prints each schema, and says what it has none of."""
    done = subprocess.run(
        [sys.executable, "-m", "warden", "bundle", "schema", *arguments], capture_output=True, text=True, check=False
    )

    assert (status, True) == (done.returncode, shown in done.stdout + done.stderr)
