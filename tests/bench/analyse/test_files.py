"""What is compared with `warden check` comes to its decisions, by the same rules."""

import json
from pathlib import Path

import pytest
import yaml

from tests.bench.analyse.files import file_ratios, write_topics
from tests.bench.measures import unsigned
from warden.analyse.check.decisions import ClusterContext, decide_declarations
from warden.analyse.check.files import read_paths
from warden.analyse.check.resolve import list_state_pointers
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.opa import evaluate_opa
from warden.policy.opa.local import LocalOpa


@pytest.mark.slow
@pytest.mark.opa
def test_the_adapter_decides_as_check_does(opa_binary: Path, shipped_bundle: Bundle, tmp_path: Path) -> None:
    """Topics with few and with too many partitions, of which some are denied and some are not."""
    files = sorted(write_topics(tmp_path / "topics", 1200).iterdir())[::200]
    with LocalOpa(shipped_bundle, opa=opa_binary) as server, server.build_client() as client:
        contents = read_paths(files)
        clusters = {str(None): ClusterContext("unnamed", None)}
        decided, _, _ = decide_declarations(client, contents.declared, clusters, {"enforcementPoint": "ci"})
    bare = unsigned(shipped_bundle.path, tmp_path / "bare.tar.gz")
    (tmp_path / "data.json").write_text(json.dumps({"files": {"unknown": list_state_pointers()}}))
    adapter = Path(__file__).with_name("files_adapter.rego")
    options = ["--bundle", str(bare), "--data", str(adapter), "--data", str(tmp_path / "data.json")]
    denied = []
    for file in files:
        (tmp_path / "input.json").write_text(json.dumps(yaml.safe_load(file.read_text())))
        arguments = (*options, "--input", str(tmp_path / "input.json"), "data.bench.deny")
        denied.append(evaluate_opa(opa_binary, *arguments) != [])

    assert {True, False} == set(denied)
    assert [not one.decision["allowed"] for one in decided] == denied


def test_ratios_name_their_targets() -> None:
    """Without conftest there is nothing to compare with."""
    found = {"coldSeconds": 1.0, "warmSeconds": 0.5, "fewKiB": 2, "manyKiB": 3, "seconds": 4, "processorSeconds": 6}
    compared = file_ratios({**found, "conftestSeconds": 2, "conftestProcessorSeconds": 2})

    assert 1.5 == file_ratios(found)["memory of check with 10,000 files / with 100"]
    assert [2, 3] == list(compared.values())[3:]
