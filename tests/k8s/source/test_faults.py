"""What breaks on the way from etcd to OPA, and that the copy is the API server's list again afterwards."""

import pytest

from tests.fixtures.conditions import eventually
from tests.k8s.source.accounts import new_account, refused_as_busy

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

CONFIG_MAPS = {"apiVersion": "v1", "kind": "ConfigMap"}
ALL = "/api/v1/configmaps"


def _path(namespace, name=""):
    return f"/api/v1/namespaces/{namespace}/configmaps{f'/{name}' if name else ''}"


def _config_map(name, **data):
    return {"metadata": {"name": name}, "data": data}


@pytest.fixture
def filled(control_plane, namespace):
    """A namespace with five objects."""
    space = namespace("filled")
    for number in range(5):
        control_plane.api("POST", _path(space), _config_map(f"c{number}"))
    return space


def _change(control_plane, space):
    """One object goes, one changes, one comes."""
    control_plane.api("DELETE", _path(space, "c0"))
    control_plane.api("PUT", _path(space, "c1"), _config_map("c1", changed="yes"))
    control_plane.api("POST", _path(space), _config_map("new"))


def test_a_broken_watch_goes_on_where_it_was(control_plane, copies, filled, wire):
    """What happens while the connection is down is seen when it is back, without another list."""
    _, status = copies.start([CONFIG_MAPS], server=wire.url)
    copies.equal(ALL)
    before = copies.copy()

    wire.cut()
    _change(control_plane, filled)
    tried = wire.connections
    eventually(lambda: wire.connections > tried, "the watch is tried again")
    assert copies.copy() == before
    wire.mend()

    copies.equal(ALL)
    assert (status.counts["loads", "requested"], status.counts["reloads", "stale"]) == (1, 0)


def test_history_that_was_compacted_is_listed_anew(control_plane, copies, filled, wire):
    """Where etcd and the API server have forgotten what a watch has missed, everything is listed again."""
    _, status = copies.start([CONFIG_MAPS], server=wire.url)
    copies.equal(ALL)

    wire.cut()
    _change(control_plane, filled)
    control_plane.kill("kube-apiserver")
    control_plane.compact()
    control_plane.start_api_server()
    wire.mend()

    copies.equal(ALL)
    assert status.counts["reloads", "stale"] == 1
    assert status.counts["errors", "source"] == 0


def test_the_api_server_is_killed(control_plane, copies, filled):
    """While the API server is down the copy stays as it was, and afterwards it is what is listed."""
    _, status = copies.start([CONFIG_MAPS])
    copies.equal(ALL)
    before = copies.copy()

    control_plane.kill("kube-apiserver")
    assert copies.copy() == before
    control_plane.start_api_server()
    _change(control_plane, filled)

    copies.equal(ALL)
    eventually(lambda: status.to_document()["ready"], "the replicator is ready")


def test_an_api_server_that_stays_away_is_reported(control_plane, copies, filled, wire):
    """After its patience the source says that the API server is away; the copy stays, and its age grows."""
    _, status = copies.start([CONFIG_MAPS], server=wire.url, maxAge=5, probe=1)
    copies.equal(ALL)
    before = copies.copy()

    wire.cut()
    eventually(lambda: not status.to_document()["ready"], "the replicator is no longer ready")
    observed = status.observed
    eventually(lambda: status.source_error, "the API server is missed")
    assert "cannot be reached" in status.source_error
    assert copies.copy() == before
    assert status.observed == observed
    wire.mend()

    copies.equal(ALL)
    eventually(lambda: status.to_document()["ready"], "the replicator is ready")


def test_etcd_is_killed(control_plane, copies, filled):
    """Watches stay open when etcd is gone, and say nothing: the copy stays, and does not pass for fresh."""
    _, status = copies.start([CONFIG_MAPS], maxAge=5, probe=1)
    copies.equal(ALL)

    control_plane.kill("etcd")
    eventually(lambda: not status.to_document()["ready"], "the replicator is no longer ready")
    control_plane.start_etcd()
    eventually(lambda: _answers(control_plane), "the API server answers again")
    _change(control_plane, filled)

    copies.equal(ALL)
    eventually(lambda: status.to_document()["ready"], "the replicator is ready")


def _answers(control_plane):
    try:
        return control_plane.api("GET", "/api/v1/namespaces?limit=1")
    except Exception:
        return None


def test_opa_is_restarted(control_plane, copies, filled, opa):
    """OPA comes back empty and gets the whole copy, and what changed meanwhile."""
    _, status = copies.start([CONFIG_MAPS])
    copies.equal(ALL)

    opa.restart()
    _change(control_plane, filled)

    copies.equal(ALL)
    assert status.counts["loads", "requested"] == 1


def test_one_of_two_replicators_leads(control_plane, copies, filled):
    """Of two replicators one writes; when it ends, the other goes on."""
    long = {"lease": 600}  # seconds: however slow the machine, the second one takes over because the first one ends
    first, one = copies.start([CONFIG_MAPS], **long)
    copies.equal(ALL)
    _, two = copies.start([CONFIG_MAPS], **long)
    eventually(lambda: two.leader, "the second one follows")
    _change(control_plane, filled)
    copies.equal(ALL)
    assert (one.leader, two.leader) == (None, first.identity)

    first.stop()
    eventually(lambda: two.leader is None and two.counts["writes", "swap"], "the second one leads")
    control_plane.api("DELETE", _path(filled, "c2"))
    copies.equal(ALL)


def test_an_api_server_that_is_too_busy(control_plane, copies, filled):
    """What it answers with 429 and Retry-After is tried again, and the copy is whole once it answers."""
    token = new_account(control_plane, "throttled-replicator")(3600)
    with refused_as_busy(control_plane, "throttled-replicator", token):
        _, status = copies.start([CONFIG_MAPS], user={"token": token})
        eventually(lambda: "429" in (status.source_error or ""), "the replicator says so")
        assert copies.copy() == {}
    copies.equal(ALL)
    assert status.source_error is None
