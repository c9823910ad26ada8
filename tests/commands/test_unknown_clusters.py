"""Names of clusters that nobody knows are pointed out where decisions are about them, and decided all the same."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.fixtures.settings import build_with_settings
from warden.commands import check, decide, explain
from warden.commands.shared.unknown_clusters import print_unknown_clusters
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

Run = Callable[[Any, str], Result]

_SETTINGS = {"clusters": [{"match": {"name": name}} for name in ("prod-us", "lab-*")]}
_SENTENCE = "warden: cluster prod-su: no settings name it, and no state of it is replicated (did you mean prod-us?)"


@pytest.fixture(scope="module")
def opa(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalOpa]:
    """One whose settings name clusters."""
    bundle = build_with_settings(_SETTINGS, tmp_path_factory.mktemp("named"), opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as running:
        yield running


@pytest.fixture
def run(opa: LocalOpa, tmp_path: Path) -> Run:
    """Runs a command on a file about a cluster."""

    def of(module: Any, cluster: str) -> Result:
        request: dict[str, Any] = {"topic": "shop.orders", "numPartitions": 3, "replicationFactor": 3}
        document: dict[str, Any] = {"operation": "CreateTopic", "enforcementPoint": "ci", "request": request}
        document = {"cluster": cluster, **(request if module is check else document)}
        file = tmp_path / "one.json"
        file.write_text(json.dumps(document))
        arguments = [str(file), "--opa-url", opa.url, "--opa-token", opa.tokens.query]
        return CliRunner().invoke(module.command, arguments, standalone_mode=False)

    return of


@pytest.mark.parametrize("module", [decide, explain, check], ids=["decide", "explain", "check"])
def test_each_command(run: Run, opa: LocalOpa, module: Any) -> None:
    """A misspelt name is pointed out once, with the nearest, and fails a check; a known one, or none, is not."""
    wrong, right, patterned = (run(module, name) for name in ("prod-su", "prod-us", "lab-7"))

    assert _SENTENCE == wrong.stderr.strip()
    assert ("", "") == (right.stderr, patterned.stderr)
    assert (2 if module is check else right.return_value) == wrong.return_value
    assert wrong.stdout


def test_what_is_replicated_is_known(run: Run, opa: LocalOpa) -> None:
    """Whatever the settings name."""
    before = run(decide, "asia")
    with opa.build_client(opa.tokens.replicator) as client:
        client.put_data(["clusters", "asia"], {"meta": {}})

    assert "warden: cluster asia: no settings name it" in before.stderr
    assert "" == run(decide, "asia").stderr


def test_many(opa: LocalOpa, capsys: pytest.CaptureFixture[str]) -> None:
    """Five at the most; and an OPA that refuses the question says nothing."""
    names = [f"other{number}" for number in range(9)]
    with opa.build_client() as client:
        print_unknown_clusters(client, names)
    lines = capsys.readouterr().err.splitlines()
    with OpaClient(opa.url, token="nobody's") as stranger:
        print_unknown_clusters(stranger, names)

    assert (6, "warden: and 4 more clusters") == (len(lines), lines[-1])
    assert "" == capsys.readouterr().err
