"""What plain OPA reads beside the sources is what a bundle has worked out of them, and decides as the bundle does."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.rego.rules.examples import read_examples, rule_files
from tools.plain_data import build_plain_data, command
from warden.base.errors import SettingsError
from warden.base.resources import find_shipped
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.opa import evaluate_opa

pytestmark = pytest.mark.opa

_DECISIONS = "[decision | some document in input.documents; decision := data.kafka.decision with input as document]"


def _share(bundle: Path) -> Any:
    return lambda name: bundle if name == "bundle" else find_shipped(name)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A copy of the bundle's data."""
    return Path(shutil.copytree(find_shipped("bundle"), tmp_path / "bundle"))


def test_the_files_are_up_to_date() -> None:
    """`python -m tools.plain_data --check` finds nothing."""
    done = CliRunner().invoke(command, ["--check"], standalone_mode=False)

    assert (0, "") == (done.return_value, done.output)


def test_files_that_are_out_of_date(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--check names what is changed or missing and writes nothing; without it both are written."""
    monkeypatch.setattr("tools.plain_data.find_shipped", _share(bundle))
    changed, missing = bundle / "settings/compiled/data.json", bundle / "catalog/state/data.json"
    before = changed.read_text("utf-8"), missing.read_text("utf-8")
    changed.write_text("{}", encoding="utf-8")
    missing.unlink()
    checked = CliRunner().invoke(command, ["--check"], standalone_mode=False)

    sentences = {f"{file} is out of date: run `python -m tools.plain_data`" for file in (changed, missing)}
    assert (1, sentences) == (checked.return_value, set(checked.stderr.splitlines()))
    assert ("{}", False) == (changed.read_text("utf-8"), missing.exists())
    written = CliRunner().invoke(command, [], standalone_mode=False)
    assert (0, {f"wrote {file}" for file in (changed, missing)}) == (
        written.return_value,
        set(written.output.splitlines()),
    )
    assert before == (changed.read_text("utf-8"), missing.read_text("utf-8"))


def test_settings_that_lack_a_rule(bundle: Path, opa_binary: Path) -> None:
    """The file and the rule are named."""
    settings = bundle / "settings/data.yaml"
    settings.write_text(settings.read_text("utf-8").replace("KFK-RET-001:", "KFK-RET-099:", 1), encoding="utf-8")

    with pytest.raises(SettingsError, match=r"settings/data\.yaml: rules: KFK-RET-001: missing"):
        build_plain_data(opa_binary, find_shipped("policies"), bundle)


def test_plain_opa_decides_as_the_bundle(opa_binary: Path, shipped_bundle: Bundle) -> None:
    """On the rules' examples, with the directories as data or as bundles; the bundle alone has a revision."""
    examples = read_examples(find_shipped("policies"), rule_files(opa_binary))
    documents = [{**example.document, "cluster": "prod-eu"} for example in examples]
    places = str(find_shipped("policies")), str(find_shipped("bundle"))
    sources = (
        ["--bundle", str(shipped_bundle.path)],
        [argument for place in places for argument in ("--data", place)],
        [argument for place in places for argument in ("--bundle", place)],
    )
    of_bundle, plain, as_bundles = (
        evaluate_opa(opa_binary, *source, _DECISIONS, stdin=json.dumps({"documents": documents})) for source in sources
    )

    assert len(documents) == len(of_bundle)
    assert {True, False} == {decision["allowed"] for decision in plain}
    assert plain == as_bundles
    assert [{**decision, "revision": None} for decision in of_bundle] == plain
