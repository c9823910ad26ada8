"""What the figures about lists are measured on is what they say it is."""

from pathlib import Path

import pytest

from tests.bench.decisions.lists import broker_file, without_lists
from tests.bench.measures import unsigned
from warden.policy.bundle.build import build_bundle
from warden.policy.bundle.opa import evaluate_opa

pytestmark = pytest.mark.opa


def answers(opa: Path, bundle: Path, query: str, document: str) -> object:
    """The value of a query."""
    shown: object = evaluate_opa(opa, "--bundle", str(bundle), query, stdin=document)
    return shown


def test_the_file_has_300_keys_and_no_fault(opa_binary: Path, tmp_path: Path) -> None:
    """A file that is refused at once would be evaluated too quickly; and without the family nobody objects to lists."""
    import json

    bundle = unsigned(build_bundle(tmp_path / "bundle.tar.gz", opa=opa_binary).path, tmp_path / "bare.tar.gz")
    bare = without_lists(bundle, tmp_path / "without.tar.gz")
    document = json.dumps({"component": "broker", "configs": broker_file(), "mode": "parse"})
    answer = answers(opa_binary, bundle, "data.kafka.lists.check", document)
    bad = {"operation": "CreateTopic", "topic": "a", "params": {"KFK-LST-004": {}}}
    bad["requested"] = {"configs": {"cleanup.policy": "none"}}
    query = "{violation.rule | some violation in data.kafka.rules.violations}"
    found = [answers(opa_binary, path, query, json.dumps(bad)) for path in (bundle, bare)]

    assert isinstance(answer, dict)
    assert (300, {True}) == (len(broker_file()), {one["valid"] for one in answer.values()})
    assert len(answer) > 20
    assert [["KFK-LST-004"], []] == found
