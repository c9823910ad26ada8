"""What is compared with the scan's speed gives the scan's decisions."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.bench.analyse.others import opa_exec, other_ratios, write_files
from tests.bench.analyse.rows import load
from tests.bench.measures import better_of_two, unsigned
from warden.base.errors import ScanError
from warden.policy.bundle.build import Bundle
from warden.policy.opa.local import LocalOpa


def said(command: Sequence[str], place: Path) -> Any:
    """The results of files by name."""
    done = subprocess.run([*command, place], capture_output=True, check=True, text=True)
    return {Path(one["path"]).name: one["result"] for one in json.loads(done.stdout)["result"]}


@pytest.mark.slow
@pytest.mark.opa
def test_opa_exec_decides_as_the_server_does(opa_binary: Path, shipped_bundle: Bundle, tmp_path: Path) -> None:
    """Twenty rows one by one and in one file: the same whole decisions, of which some deny and some do not."""
    rows, bare = load(400), unsigned(shipped_bundle.path, tmp_path / "bare.tar.gz")
    documents = rows.singles(20)
    names = [document["request"]["topic"] for document in documents]
    items = dict(zip(names, documents, strict=True))
    (one_each,) = write_files(tmp_path / "rows", documents, 1)
    (together,) = write_files(tmp_path / "batch", [{"items": items}], 1)
    with LocalOpa(shipped_bundle, opa=opa_binary) as server, server.build_client() as client:
        decided = [client.decide(document) for document in documents]
    single, many = opa_exec(opa_binary, bare), opa_exec(opa_binary, bare, batches=True)

    assert {f"{number:06}.json": decision for number, decision in enumerate(decided)} == said(single.command, one_each)
    assert {"000000.json": dict(zip(names, decided, strict=True))} == said(many.command, together)
    assert {True, False} == {decision["allowed"] for decision in decided}


def test_a_row_without_a_decision_is_no_figure() -> None:
    """``opa exec`` ends with 0 where nothing is decided; a row that costs nothing would be evaluated too quickly."""
    decisions = opa_exec(Path("opa"), Path("bundle")).decisions
    decided: list[dict[str, Any]] = [
        {"path": "a", "result": {"allowed": True}},
        {"path": "b", "result": {"allowed": False}},
    ]
    undecided = {"path": "c", "error": {"message": "undefined"}}

    assert [False, True] == list(decisions(json.dumps({"result": decided})))
    with pytest.raises(ScanError, match="opa exec decides nothing about c: undefined"):
        list(decisions(json.dumps({"result": [*decided, undecided]})))


def test_ratios_name_their_targets() -> None:
    """The one process that users start is what the targets are about."""
    found = {"opa exec": {"perSecond": 2.0}, "opa exec, a process a core": {"perSecond": 4.0}}

    assert {
        "scan, equal parts once / opa exec (target 2)": 4.0,
        "scan, equal parts once / opa exec, a process a core": 2.0,
        "whole topics / opa exec": 2.0,
        "whole topics / opa exec, a process a core": 1.0,
    } == other_ratios(found, 8.0, 4.0)


def test_the_better_of_two_after_a_first() -> None:
    """What warms up does not count, however quick it was."""
    rates = iter([9.0, 1.0, 2.0])
    assert {"perSecond": 2.0} == better_of_two(lambda: {"perSecond": next(rates)})
