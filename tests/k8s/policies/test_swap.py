"""A set of policies is taken as one, by a real OPA, while a real API server takes them one after the other."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial

import pytest

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.k8s.policies.policy_maps import Maps, open_maps, policy
from warden.state.replicate.policies import keeper

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

COUNT = 20


@pytest.fixture
def maps(control_plane, namespace, tmp_path, placement_bundle):
    """A replicator and an OPA with it."""
    with open_maps(control_plane, placement_bundle, tmp_path, namespace("policies")) as made, made:
        made.warns()
        yield made


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


def test_two_replicators_agree(maps, placement_bundle, control_plane, tmp_path):
    """Each with its own OPA: both decide by the same, and neither takes back what the other writes."""
    directory = tmp_path / "second"
    directory.mkdir()
    with open_maps(control_plane, placement_bundle, directory, maps.namespace) as second, second:
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
