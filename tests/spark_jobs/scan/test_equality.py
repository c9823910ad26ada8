"""A scan by Spark says what decisions say, whatever a site's rules, the settings and the age of the state are."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as examples

from tests.analyse.scan.generated import Estate, estates, settings
from tests.analyse.scan.generated_rules import ELSEWHERE, site_module, site_modules
from tests.analyse.scan.in_process import Said, documents, of_decision, of_rows
from tests.analyse.scan.open_opa import OpenOpa
from tests.fixtures.seed import SEED
from warden.analyse.scan.plan import ScanPlan, prepare
from warden.analyse.scan.policy_version import read_policy_version
from warden.base.errors import ScanError
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.snapshot.directory import write_snapshot

pytestmark = [pytest.mark.spark, pytest.mark.opa, pytest.mark.oracle]

MODULE = """package site.rules.one

deny contains {{"rule": "SITE-1", "severity": "high", "message": json.marshal(value)}} if {{
	value := {value}
}}
"""


SITE = {"limits": {"partitions": 2, "a": 1}}
States = dict[str, dict[str, Any]]


def only(*kinds: str) -> pytest.MarkDecorator:
    """Run a test with these kinds of settings."""
    return pytest.mark.parametrize("opa", kinds, indirect=True, scope="module")


@pytest.fixture(scope="module")
def opa(request: Any, opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenOpa]:
    """An OPA with settings of one kind."""
    directory = tmp_path_factory.mktemp(request.param)
    written = settings(random.Random(SEED), request.param)
    (directory / "settings.yaml").write_text(yaml.safe_dump(written), "utf-8")
    bundle = build_bundle(directory / "b.tar.gz", settings=directory / "settings.yaml", opa=opa_binary)
    with OpenOpa(opa_binary, bundle, directory) as running:
        yield running


@pytest.fixture
def scan(spark: Any, opa: OpenOpa, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Scan an estate with Spark, compare it with decisions that see all of it, and return the metrics."""
    from spark_jobs.scan.run_scan import run_scan

    def scanned(estate: Estate, modules: dict[str, str], data: dict[str, Any], **more: Any) -> dict[str, Any]:
        for cluster, state in estate.states.items():
            write_snapshot(tmp_path / "s", cluster, state, day=date(2026, 11, 21))
        opa.load(modules, data, {})
        plan = replace(ScanPlan(tmp_path / "s", tmp_path / "out", now=estate.now, run_id="r"), **more)
        done = run_scan(spark, plan, RemoteOpa(opa.url))
        assert _whole(opa, estate, modules, data, plan) == _table(done.directory)
        return dict(done.metrics)

    return scanned


def _whole(opa: OpenOpa, estate: Estate, modules: Any, data: Any, plan: ScanPlan) -> dict[tuple[str, str, str], Said]:
    with opa.build_client() as client:
        inputs = documents(prepare(plan, read_policy_version(client)))
        opa.load(modules, data, estate.states)
        names = {str(i): name for i, name in enumerate(inputs)}
        answers = client.decide_many({key: inputs[name] for key, name in names.items()})
    opa.load(modules, data, {})
    return {name: of_decision(answers[key]) for key, name in names.items()}


def _table(directory: Path) -> dict[tuple[str, str, str], Said]:
    import pyarrow.parquet as pq

    rows = pq.read_table(directory / "decisions").to_pylist()
    return {(row["cluster"], row["kind"], row["resource"]): of_rows([row]) for row in rows}


@pytest.fixture
def scan_history(spark: Any, opa: OpenOpa, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Scan several days with Spark, compare each with decisions that see what there is until then; the metrics."""
    import pyarrow.parquet as pq

    from spark_jobs.scan.run_scan import run_scan

    def scanned(days: Mapping[date, States], modules: dict[str, str]) -> dict[str, Any]:
        for day, states in days.items():
            for cluster, state in states.items():
                write_snapshot(tmp_path / "s", cluster, state, day=day)
        opa.load(modules, SITE, {})
        plan = ScanPlan(tmp_path / "s", tmp_path / "out", days=(min(days), max(days)), run_id="r")
        done = run_scan(spark, plan, RemoteOpa(opa.url))
        rows = pq.read_table(done.directory / "decisions").to_pylist()
        found = {(row["day"], row["cluster"], row["kind"], row["resource"]): of_rows([row]) for row in rows}
        until: States = {}
        whole = {}
        for day, states in sorted(days.items()):
            until = {**until, **states}
            one = _whole(opa, Estate(until), modules, SITE, replace(plan, days=(day, day)))
            whole.update({(day, *name): said for name, said in one.items()})
        assert whole == found
        return dict(done.metrics)

    return scanned


def _estate(seed_of_it: int) -> Estate:
    """One estate, the same for the same number."""
    found: list[Estate] = []

    @seed(seed_of_it)
    @examples(max_examples=3, phases=[Phase.generate], database=None, suppress_health_check=list(HealthCheck))
    @given(estates())
    def draw(estate: Estate) -> None:
        found.append(estate)

    draw()
    return found[-1]


@only("plain", "aged", "elsewhere")
def test_random_rules(scan: Any) -> None:
    """Random rules about two estates, the second with what was cached of the first."""
    found: list[dict[str, str]] = []

    @seed(SEED)
    @examples(max_examples=2, phases=[Phase.generate], database=None, suppress_health_check=list(HealthCheck))
    @given(site_modules())
    def draw(modules: dict[str, str]) -> None:
        found.append(modules)

    draw()
    for modules in found[1:]:
        for number in (SEED, SEED + 1):
            scan(_estate(number), modules, SITE)


@only("plain")
@pytest.mark.parametrize(
    ("value", "change"),
    [
        ("input.clusterState.totals.topics", {"totals": {"topics": 77}}),
        ("data.clusters.b.topics[input.topic].numPartitions", {"topics": {}}),
        ("count(data.clusters.b.topics)", {"topics": {}}),
    ],
)
def test_what_a_site_reads_is_sent_and_cached_under(scan: Any, value: str, change: dict[str, Any]) -> None:
    """The same again is not evaluated again; other state, of this cluster or of another one, is."""
    estate = _estate(SEED)
    modules = {"site/one.rego": MODULE.format(value=value)}
    topic = next(iter(estate.states["a"]["topics"].values()))
    changed = {**change, "topics": {"new.topic": topic}} if "topics" in change else change
    after = Estate({**estate.states, "b": {**estate.states["b"], **changed}}, estate.now)

    assert 0 < scan(estate, modules, {})["evaluated"]
    again = scan(estate, modules, {})
    assert (0, []) == (again["evaluated"], again["notRemembered"])
    assert 0 < scan(after, modules, {})["evaluated"]


@only("plain")
def test_rules_without_a_revision(scan: Any) -> None:
    """Another rule, and other data that it reads, is noticed, though no bundle has another revision."""
    estate, module = _estate(SEED), {"site/one.rego": MODULE.format(value="data.site.limit")}
    other = {"site/one.rego": MODULE.format(value="data.site.limit + 1")}

    evaluated = [scan(estate, *site)["evaluated"] for site in ((module, {"limit": 1}), (other, {"limit": 1}))]
    evaluated += [scan(estate, *site)["evaluated"] for site in ((other, {"limit": 2}), (other, {"limit": 2}))]
    assert [True, True, True, False] == [count > 0 for count in evaluated]


@only("plain")
def test_what_cannot_be_found_out(scan: Any, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing is cached, and a line says so."""
    value = '{input[name] | some name in ["topic"]}'
    estate, modules = _estate(SEED), {"site/one.rego": MODULE.format(value=value)}
    runs = [scan(estate, modules, {}) for _ in range(2)]

    assert all(run["evaluated"] and run["notRemembered"] for run in runs)
    assert "warden: nothing is remembered" in capfd.readouterr().err


@only("plain")
def test_rules_that_change_meanwhile(spark: Any, opa: OpenOpa, scan: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is about one policy from its beginning to its end."""
    from spark_jobs.scan import run_scan as module
    from spark_jobs.scan.stages import read as stage

    reading, modules = stage.read_rows, {"site/one.rego": MODULE.format(value="1")}

    def read(*arguments: Any) -> Any:
        opa.load({"site/one.rego": MODULE.format(value="2")}, {}, {})
        return reading(*arguments)

    monkeypatch.setattr(module, "read_rows", read)
    with pytest.raises(ScanError, match="the policy changed during the scan"):
        scan(_estate(SEED), modules, {})


@only("aged")
def test_the_age_of_the_state(scan: Any) -> None:
    """What is too old by the settings is so in a scan, and what is cached of a younger state is not used."""
    estate = _estate(SEED)

    scan(estate, {}, {})
    scan(Estate(estate.states, estate.now + timedelta(hours=30)), {}, {})


@only("elsewhere")
def test_topics_of_the_same_name_elsewhere(scan: Any) -> None:
    """A topic that appears in another cluster changes what is decided about its namesake."""
    estate = _estate(SEED)
    name, topic = next(iter(estate.states["b"]["topics"].items()))
    first = estate.states["a"]

    scan(estate, {}, {})
    there = {"topics": {**first["topics"], name: topic}}
    if (names := first.get("namesByMetric")) is not None:  # a state may lack it
        metric = name.replace(".", "_")
        there["namesByMetric"] = {**names, metric: sorted({*names.get(metric, ()), name})}
    scan(Estate({**estate.states, "a": {**first, **there}}, estate.now), {}, {})


@only("plain", "elsewhere")
@pytest.mark.parametrize("number", [1, 2])
def test_other_clusters_in_a_history(scan_history: Any, number: int) -> None:
    """A rule sees of other clusters what there is until a day: what each has of it, or of the last day before.

    Then one cluster has another state on the first day, which changes that day and those on which it has none.
    """
    first, last, before = (_estate(SEED + 3 * number + i).states for i in range(3))
    values = random.Random(f"{SEED} {number}").sample(ELSEWHERE, number)
    modules = {f"site/r{i}.rego": site_module(f"r{i}", value) for i, value in enumerate(values)}
    days = {date(2026, 11, 19): first, date(2026, 11, 20): {"a": last["a"]}, date(2026, 11, 21): last}

    assert 0 < scan_history(days, modules)["evaluated"]
    scan_history({**days, date(2026, 11, 19): {**first, "b": before["b"]}}, modules)
