"""The source itself on a real API server: lists in pieces, bookmarks, and how a lost position is reported."""

from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from tests.fixtures.conditions import eventually
from warden.base.errors import SourceStale, SourceUnreachable
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.kubeconfig import read_kubeconfig
from warden.state.sources.kubernetes.listing import list_all
from warden.state.sources.kubernetes.live import ObjectSelector
from warden.state.sources.kubernetes.source import KubernetesSource
from warden.state.sources.kubernetes.watching import Watch, WatchTimings
from warden.state.sources.source import REMOVED, Change

pytestmark = pytest.mark.k8s

CONFIG_MAPS = ObjectSelector("v1", "ConfigMap")


def _path(namespace, name=""):
    return f"/api/v1/namespaces/{namespace}/configmaps{f'/{name}' if name else ''}"


def _config_map(name, **data):
    return {"metadata": {"name": name}, "data": data}


@pytest.fixture
def access(control_plane):
    """An administrator's access."""
    return partial(read_kubeconfig, control_plane.kubeconfig("admin", {"token": control_plane.admin_token}))


@pytest.fixture
def api(access):
    """An administrator's connection."""
    with ApiServer(access()) as connected:
        yield connected


def _five(control_plane, space):
    """The namespace, with the ConfigMaps c0 to c4."""
    for number in range(5):
        control_plane.api("POST", _path(space), _config_map(f"c{number}"))
    return space


def test_a_list_in_pieces_is_of_one_moment(control_plane, namespace, api):
    """What changes between two pieces is not in any of them, and the watch goes on from before it."""
    space = _five(control_plane, namespace("pieces"))

    class Between(ApiServer):
        requests = 0

        def get(self, path, params=None):
            Between.requests += 1
            if Between.requests == 2:
                control_plane.api("DELETE", _path(space, "c4"))
                control_plane.api("POST", _path(space), _config_map("c9"))
            return super().get(path, params)

    with Between(api.access) as between:
        found, version = list_all(between, _path(space), {}, piece=2)

    assert Between.requests == 3
    assert [item["metadata"]["name"] for item in found] == [f"c{number}" for number in range(5)]
    events: list[Any] = []
    watch = Watch(api, _path(space), {}, version, event=lambda *event: events.append(event), failed=events.append)
    watch.start()
    eventually(lambda: len(events) == 2, "both changes come")
    watch.stop()
    assert [(what, thing["metadata"]["name"]) for what, thing in events] == [("DELETED", "c4"), ("ADDED", "c9")]


def test_a_list_whose_moment_is_compacted_begins_anew(control_plane, namespace, api):
    """Where etcd forgets the moment of a list half way through it, the list is that of a later moment, and whole."""
    space = _five(control_plane, namespace("compacted"))

    class Forgetful(ApiServer):
        tokens = 0

        def get(self, path, params=None):
            answer = super().get(path, params)
            if "continue" in (answer.get("metadata") or {}) and not Forgetful.tokens:
                Forgetful.tokens += 1
                control_plane.api("DELETE", _path(space, "c4"))
                control_plane.kill("kube-apiserver")
                control_plane.compact()
                control_plane.start_api_server()
            return answer

    with Forgetful(api.access) as forgetful:
        found, _ = list_all(forgetful, _path(space), {}, piece=2)

    assert Forgetful.tokens == 1
    assert [item["metadata"]["name"] for item in found] == [f"c{number}" for number in range(4)]


def test_bookmarks_move_the_position(control_plane, namespace, api):
    """Where nothing that is watched changes, bookmarks carry the position past what happens elsewhere."""
    quiet, busy = namespace("quiet"), namespace("busy")
    _, version = list_all(api, _path(quiet), {})
    failures: list[Any] = []
    watch = Watch(
        api,
        _path(quiet),
        {},
        version,
        event=lambda *event: failures.append(event),
        failed=failures.append,
        timings=WatchTimings(watch=4),
    )
    watch.start()
    created = control_plane.api("POST", _path(busy), _config_map("elsewhere"))

    eventually(lambda: int(watch._version) >= int(created["metadata"]["resourceVersion"]), "a bookmark comes")
    watch.stop()
    assert failures == []


def test_a_watch_that_times_out_is_opened_again(control_plane, namespace, access):
    """Changes are seen through many watches as through one."""
    space = namespace("times")
    source = KubernetesSource("k", access, [CONFIG_MAPS], timings=WatchTimings(watch=1))
    source.load()
    assert source._live
    [watch] = source._live._watches
    opened: set[Any] = set()
    seen: list[str] = []
    while len(opened) < 4:
        control_plane.api("POST", _path(space), _config_map(f"c{len(seen)}"))
        changes = eventually(lambda: source.poll(1), f"c{len(seen)} comes")
        seen += [path[-1] for path, _ in changes if path[1] == space]
        opened |= {watch.open_since} - {None}
    source.close()

    assert seen == [f"c{number}" for number in range(len(seen))]


def test_a_namespace_goes_with_its_last_object(control_plane, namespace, access):
    """Changes make of the copy what a full load would make, empty namespaces included."""
    space = namespace("last")
    source = KubernetesSource("k", access, [CONFIG_MAPS])
    assert space not in source.load()["configmaps"]

    created = control_plane.api("POST", _path(space), _config_map("only"))
    created["metadata"].pop("managedFields", None)
    created = {"apiVersion": "v1", "kind": "ConfigMap", **created}
    assert eventually(lambda: source.poll(1), "it comes") == [Change(("configmaps", space, "only"), created)]
    control_plane.api("DELETE", _path(space, "only"))
    assert eventually(lambda: source.poll(1), "it goes") == [Change(("configmaps", space), REMOVED)]
    source.close()


def test_a_quiet_source_is_observed(access):
    """While nothing happens, the moment of observation moves on, because the API server is read now and then."""
    source = KubernetesSource("k", access, [CONFIG_MAPS], timings=WatchTimings(probe=0.2))
    begun = datetime.now(UTC)
    source.load()
    loaded = source.observed or begun

    def moved():
        source.poll(0.1)
        return (source.observed or begun) > loaded

    assert loaded > begun
    eventually(moved, "the observation moves")
    source.close()


def test_a_lost_position_asks_for_a_load(control_plane, namespace, access, wire):
    """410 Gone is reported as such, once, and the next load is whole."""
    space = namespace("lost")
    through = partial(
        read_kubeconfig, control_plane.kubeconfig("wired", {"token": control_plane.admin_token}, server=wire.url)
    )
    source = KubernetesSource("k", through, [CONFIG_MAPS])
    source.load()
    wire.cut()
    control_plane.api("POST", _path(space), _config_map("missed"))
    control_plane.kill("kube-apiserver")
    control_plane.compact()
    control_plane.start_api_server()
    wire.mend()

    def stale():
        try:
            source.poll(1)
        except SourceStale as error:
            return str(error)
        return None

    assert "too old resource version" in eventually(stale, "the position is lost")
    assert "missed" in source.load()["configmaps"][space]
    source.close()


def test_what_cannot_be_replicated_is_reported(access):
    """A kind that is not there is named, with those that are."""
    source = KubernetesSource("k", access, [ObjectSelector("v1", "Configmap")])

    with pytest.raises(SourceUnreachable, match=r"knows no kind Configmap of v1, only .*ConfigMap, "):
        source.load()
