"""Every entry point of the bundle answers the query token, and the documentation names the same."""

import re
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.base.errors import OpaUndefined
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.opa import evaluate_opa, run_opa_json
from warden.policy.opa.client import OpaClient

pytestmark = pytest.mark.opa

_CONTRACT = CHECKOUT / "docs" / "reference" / "contract.md"


@pytest.fixture(scope="module")
def entry_points(opa_binary: Path, shipped_bundle: Bundle) -> set[str]:
    """The paths that the bundle's own metadata calls entry points, and the rules' metadata, which is data."""
    described = run_opa_json(opa_binary, "inspect", "--annotations", "--format", "json", str(shipped_bundle.path))
    return {"catalog/controls", "catalog/rules"} | {
        "/".join(str(part["value"]) for part in one["path"][1:])
        for one in described["annotations"]
        if one["annotations"].get("entrypoint")
    }


def test_each_answers_the_query_token(entry_points: set[str], query_client: OpaClient) -> None:
    """Whatever the input, the answer is a document or that there is none; a path that is refused is an error."""
    assert len(entry_points) >= 15
    for path in sorted(entry_points):
        try:
            query_client.evaluate(path, {})
        except OpaUndefined:
            continue


def test_the_contract_names_them(entry_points: set[str]) -> None:
    """The table of entry points is the bundle's list."""
    table = _CONTRACT.read_text(encoding="utf-8").partition("## Entry points")[2].partition("\n## ")[0]

    assert set(re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)) == entry_points


def test_who_may_ask_whom(opa_binary: Path, shipped_bundle: Bundle, entry_points: set[str]) -> None:
    """The list of the policy that guards OPA is the bundle's, and the revision, which is data."""
    query = '{concat("/", path) | some path, _ in data.system.authz.entry_points}'
    allowed = set(evaluate_opa(opa_binary, "--bundle", str(shipped_bundle.path), query))

    assert {"catalog/revision"} | entry_points == allowed


def test_every_page_names_paths_that_there_are(entry_points: set[str]) -> None:
    """A path of OPA's Data API in the documentation is an entry point, or what replicators write."""
    pages = sorted((CHECKOUT / "docs").rglob("*.md"))
    named = {
        (path, page.name)
        for page in pages
        for path in re.findall(r"v1/data/((?:kafka|io/k8s|catalog)[a-z0-9_/]*[a-z])", page.read_text(encoding="utf-8"))
    }

    assert {"kafka/decision"} <= {path for path, _ in named}
    assert [] == sorted(found for found in named if found[0] not in entry_points)
