"""A decision is one decision: whole, in parts, remembered, by the command, by the adapter; whatever the rules are."""

import json
import random
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as examples
from hypothesis import strategies as st

from tests.analyse.scan.generated import Estate, changes, estates, settings
from tests.analyse.scan.generated_rules import site_data, site_modules
from tests.analyse.scan.in_process import Cache, Said, documents, of_decision, scan
from tests.analyse.scan.open_opa import OpenOpa
from tests.fixtures.case_counts import sample_or_all
from tests.fixtures.seed import SEED
from warden.analyse.scan.plan import ScanPlan, prepare
from warden.analyse.scan.policy_version import read_policy_version
from warden.commands.decide import command as decide
from warden.enforce.sdk.evaluate import evaluate_request
from warden.enforce.sdk.warden import Warden
from warden.policy.adapter import parse_request
from warden.policy.bundle.build import build_bundle
from warden.state.snapshot.directory import write_snapshot

pytestmark = pytest.mark.opa

KINDS = ("plain", "aged", "elsewhere")
ESTATES = 3


@pytest.fixture(scope="module")
def opas(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, OpenOpa]]:
    """An OPA for each kind of settings, which a site's rules are put into."""
    chosen = random.Random(SEED)
    with ExitStack() as stack:
        running = {}
        for kind in KINDS:
            directory = tmp_path_factory.mktemp(kind)
            (directory / "settings.yaml").write_text(yaml.safe_dump(settings(chosen, kind)), "utf-8")
            bundle = build_bundle(directory / "b.tar.gz", settings=directory / "settings.yaml", opa=opa_binary)
            running[kind] = stack.enter_context(OpenOpa(opa_binary, bundle, directory))
        yield running


def _written(estate: Estate, directory: Path) -> Path:
    for cluster, state in estate.states.items():
        write_snapshot(directory, cluster, state, day=date(2026, 11, 21), format="jsonl")
    return directory


class _Policy:
    """One policy, to compare decisions by.

    Args:
        opa: OPA with Warden's bundle.
        modules, data: What a site has beside it.
    """

    def __init__(self, opa: OpenOpa, modules: dict[str, str], data: dict[str, Any]) -> None:
        self._opa, self._modules, self._data = opa, modules, data
        opa.load(modules, data, {})
        with opa.build_client() as client:
            self._policy = read_policy_version(client)

    @property
    def cut(self) -> bool:
        """Whether audits of topics are cut into parts."""
        return self._policy.audit_part_plan is not None

    def compare(self, estate: Estate, cache: Cache) -> int:
        """Compare all ways to ask about an estate, and return how many decisions they came to."""
        opa = self._opa
        with tempfile.TemporaryDirectory() as directory, opa.build_client() as client:
            snapshot = _written(estate, Path(directory) / "s")
            prepared = prepare(ScanPlan(snapshot, snapshot / "out", now=estate.now), self._policy)
            opa.load(self._modules, self._data, estate.states)
            inputs = documents(prepared)
            names = {str(i): name for i, name in enumerate(inputs)}
            answers = client.decide_many({key: inputs[name] for key, name in names.items()})
            whole = {name: of_decision(answers[key]) for key, name in names.items()}
            _by_command(opa, inputs[names["0"]], whole[names["0"]], Path(directory))
            _by_adapter(client, estate, self._modules)
            opa.load(self._modules, self._data, {})  # what OPA has replicated is not a part of a snapshot
            scanned = scan(prepared, client, cache)
        assert whole.keys() == scanned.keys()
        differences = {name: (whole[name], scanned[name]) for name in whole if whole[name] != scanned[name]}
        assert not differences, f"whole, scanned: {differences}"
        return len(whole)


def _by_command(opa: OpenOpa, document: dict[str, Any], expected: Said, directory: Path) -> None:
    (directory / "input.json").write_text(json.dumps(document), "utf-8")
    shown = CliRunner().invoke(decide, [str(directory / "input.json"), "--opa-url", opa.url, "--output", "json"])
    assert expected == of_decision(json.loads(shown.stdout))


def _by_adapter(client: Any, estate: Estate, modules: dict[str, str]) -> None:
    """A request of Kafka's own is decided as the input that it is read as."""
    if any("now" in text or "walk(input," in text for text in modules.values()):
        return  # two requests are never of one moment
    state = next(iter(estate.states.values()))
    for name in ("shop.orders.new", "Bad"):  # each by itself: of several the later are decided with the earlier
        topic = {"name": name, "numPartitions": 2, "replicationFactor": 3}
        parsed = parse_request("CreateTopics", {"topics": [topic]})
        _compare_request(client, evaluate_request(Warden(client, cluster="a"), parsed, state=state))


def _compare_request(client: Any, evaluated: Any) -> None:
    for key, result in evaluated.results.items():
        decision = client.decide(evaluated.documents[key])
        assert of_decision(decision) == of_decision(evaluated.decisions[key].document)
        assert decision["allowed"] == result.allowed
        assert decision["allowed"] or result.error_message == decision["error"]["message"]


@sample_or_all(1, 12)
@pytest.mark.parametrize("kind", KINDS)
def test_every_way_to_ask(opas: dict[str, OpenOpa], kind: str, count: int) -> None:
    """Rules of a site, settings, states and topics at random; then one thing changes, and the cache is there."""
    decisions: list[int] = []

    @seed(SEED + KINDS.index(kind))
    @examples(
        max_examples=count,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        several = [data.draw(estates(), "estate") for _ in range(ESTATES)]
        modules, site = data.draw(site_modules(), "rules"), data.draw(site_data(), "data.site")
        caches: list[Cache] = [{} for _ in several]
        before = _Policy(opas[kind], modules, site)
        decisions.extend(before.compare(estate, cache) for estate, cache in zip(several, caches, strict=True))
        changed = data.draw(st.sampled_from(["state", "state", "state", "rules", "data", "settings"]), "change")
        if changed == "state":
            several = [data.draw(changes(estate), "changed") for estate in several]
            after = before
        elif changed == "rules":
            after = _Policy(opas[kind], data.draw(site_modules(), "other rules"), site)
        elif changed == "data":
            after = _Policy(opas[kind], modules, data.draw(site_data(), "other data.site"))
        else:
            after = _Policy(opas[data.draw(st.sampled_from(KINDS), "other settings")], modules, site)
        decisions.extend(after.compare(estate, cache) for estate, cache in zip(several, caches, strict=True))

    check()
    print(f"{kind}: {len(decisions)} estates, {sum(decisions)} decisions compared, WARDEN_SEED={SEED}")
    assert len(decisions) >= 2 * ESTATES * count


@sample_or_all(3, 60)
def test_in_parts(opas: dict[str, OpenOpa], count: int) -> None:
    """Without rules of a site audits are cut into parts; whatever changes, the parts say what the whole says."""
    decisions: list[int] = []
    policy = _Policy(opas["plain"], {}, {})
    assert policy.cut

    @seed(SEED)
    @examples(
        max_examples=count,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        estate, cache = data.draw(estates(), "estate"), Cache()
        decisions.append(policy.compare(estate, cache))
        decisions.append(policy.compare(data.draw(changes(estate), "changed"), cache))

    check()
    print(f"in parts: {len(decisions)} estates, {sum(decisions)} decisions compared, WARDEN_SEED={SEED}")
    assert len(decisions) >= 2 * count
