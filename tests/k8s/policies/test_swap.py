"""A set of policies is taken as one, by a real OPA, while a real API server takes them one after the other."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial

import pytest

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.k8s.policies.policy_maps import Maps, policy, write_configuration
from warden.base.http.ports import find_free_port
from warden.base.resources import find_shipped
from warden.policy.bundle.build import build_bundle
from warden.policy.bundle.contents import PolicySelection
from warden.policy.opa.local import LocalOpa
from warden.state.replicate.policies import keeper

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

COUNT = 20


@pytest.fixture(scope="module")
def placement(opa_binary, tmp_path_factory):
    """The bundle of placement."""
    only = PolicySelection(find_shipped("policies"), "placement")
    return build_bundle(tmp_path_factory.mktemp("bundle") / "b.tar.gz", policies=only, opa=opa_binary)


@pytest.fixture
def maps(control_plane, namespace, tmp_path, placement):
    """A replicator and an OPA with it."""
    port, here = find_free_port(), namespace("policies")
    with LocalOpa(placement, config_maps=f"http://127.0.0.1:{port}") as opa:
        path = write_configuration(tmp_path, control_plane, opa, port, here)
        with Maps(control_plane, opa, path, here) as maps:
            maps.warns()
            yield maps


class _Decisions:
    """Has OPA decide again and again, and remembers when it first said what."""

    def __init__(self, maps):
        self._maps = maps
        self._over = threading.Event()
        self.seen: list[tuple[float, frozenset[str]]] = []
        self.errors: list[str] = []
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join(60)

    def are_by(self, wanted: frozenset[str]) -> bool:
        """Whether the last decision had these warnings."""
        return self.seen[-1][1] == wanted

    def _run(self):
        while not self._over.is_set():
            answer = self._maps.answer()
            self.errors += answer.get("errors", [])
            said = frozenset(answer.get("warnings", []))
            if not self.seen or self.seen[-1][1] != said:
                self.seen.append((time.monotonic(), said))


def _write_all(maps: Maps, number: int) -> float:
    """Write all policies of a set at once, and return when the last was written."""

    def write(i: int) -> None:
        maps.write(f"policy-{i}", {"a.rego": policy(f"{number}-{i}", f"site.placement.p{i}")})

    with ThreadPoolExecutor(COUNT) as pool:
        list(pool.map(write, range(COUNT)))
    return time.monotonic()


def test_twenty_at_once(maps, monkeypatch):
    """Nothing is refused for it, and decisions are by the old set or by the whole new one."""
    # A busy machine may take longer than a tenth of a second from one ConfigMap to the next.
    monkeypatch.setattr(keeper, "_QUIET", 5.0)
    monkeypatch.setattr(keeper, "_MAX_BURST_SECONDS", PATIENCE)
    sets = [frozenset(f"{number}-{i}" for i in range(COUNT)) for number in range(3)]
    with _Decisions(maps) as decisions:
        eventually(lambda: decisions.seen, "OPA decides")
        for number, wanted in enumerate(sets):
            written = _write_all(maps, number)
            eventually(partial(decisions.are_by, wanted), "the whole set decides")
            print(f"set {number} decides {decisions.seen[-1][0] - written:.2f} s after its last ConfigMap")

    assert [] == decisions.errors
    assert [frozenset(), *sets] == [said for _, said in decisions.seen]


def test_two_replicators_agree(maps, placement, control_plane, tmp_path):
    """Each with its own OPA: both decide by the same, and neither takes back what the other writes."""
    port = find_free_port()
    with LocalOpa(placement, config_maps=f"http://127.0.0.1:{port}") as opa:
        directory = tmp_path / "second"
        directory.mkdir()
        path = write_configuration(directory, control_plane, opa, port, maps.namespace)
        with Maps(control_plane, opa, path, maps.namespace) as second:
            maps.write("a", {"a.rego": "package site.placement\n\ndefault x := 1\n\nwarnings contains x\n"})
            maps.write("b", {"b.rego": "package site.placement\n\ndefault x := 2\n"})
            maps.write("c", {"c.rego": policy("c", "site.placement.c")})
            eventually(lambda: maps.says_ok("c"), "the third is in force")
            maps.write("c", {"c.rego": "package x {"})
            maps.refuses("c", "c.rego:1:")
            maps.refuses("b", "multiple default rules")
            _settle(maps, second)
            versions = _versions(maps)
            _settle(maps, second)
            assert versions == _versions(maps)
            assert maps.answer() == second.answer()
            assert "c" in maps.answer()["warnings"]


def _versions(maps: Maps) -> dict[str, str]:
    found = maps.plane.api("GET", maps.path())["items"]
    return {one["metadata"]["name"]: one["metadata"]["resourceVersion"] for one in found}


def _settle(*all_of_them: Maps) -> None:
    """Wait until each replicator has seen the API server's present state anew."""
    moment = datetime.now(UTC)
    for maps in all_of_them:
        eventually(partial(_is_newer, maps, moment), "the replicator has looked again")


def _is_newer(maps: Maps, moment: datetime) -> bool:
    return maps.observed() > moment
