"""What a replicator tells its probes, and Prometheus."""

import json
import socket
import urllib.error
import urllib.request

import pytest

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.state.replicate.fake import FakeSource
from tests.state.replicate.replicas import running, topics
from warden.base.errors import SourceUnreachable
from warden.base.http.probes import ProbeServer

pytestmark = pytest.mark.opa


def _ask(port, path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def _loopback():
    """Whether this machine has IPv6."""
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.skipif(not _loopback(), reason="no IPv6 here")
def test_probes_over_ipv6():
    """An address of IPv6 is listened to as well."""
    probes = ProbeServer("::1", 0, ready=lambda: {"ready": True}, metrics=bytes, alive=lambda: True)
    try:
        with urllib.request.urlopen(f"http://[::1]:{probes.port}/healthz", timeout=PATIENCE) as answer:
            status = answer.status
    finally:
        probes.stop()

    assert 200 == status


def test_probes_and_metrics(opa, client):
    """/readyz tells why not, then is well; /healthz is well while all threads run; /metrics has the figures."""
    source = FakeSource("fake-probed", topics(3))
    source.fault = SourceUnreachable("not yet")
    with running(opa, source, max_age=60.0) as replicator:
        ready, metrics = replicator.to_document, replicator.encode_metrics
        probes = ProbeServer("127.0.0.1", 0, ready=ready, metrics=metrics, alive=lambda: replicator.is_alive)
        try:
            eventually(lambda: "not yet" in _ask(probes.port, "/readyz")[1], "the reason")
            early = _ask(probes.port, "/readyz")
            source.fault = None
            eventually(lambda: _ask(probes.port, "/readyz")[0] == 200, "being ready")
            ready_now, text = json.loads(_ask(probes.port, "/readyz")[1]), _ask(probes.port, "/metrics")[1]
            alive, missing = _ask(probes.port, "/healthz"), _ask(probes.port, "/")
            replicator.stop()
            dead = _ask(probes.port, "/healthz")
        finally:
            probes.stop()

    assert (503, False) == (early[0], json.loads(early[1])["ready"])
    assert (True, {"topics": 3}) == (ready_now["ready"], ready_now["sources"]["fake/fake-probed"]["entries"])
    assert [200, 404, 503] == [alive[0], missing[0], dead[0]]
    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    labels = 'kind="fake",source="fake-probed"'
    assert ["1.0", "1.0", "0.0", "3.0"] == [
        lines[f"warden_replicator_{name}{{{of}}}"]
        for name, of in (
            ("ready", labels),
            ("leads", labels),
            ("held_back", labels),
            ("entries", 'kind="fake",part="topics",source="fake-probed"'),
        )
    ]
    assert float(lines[f'warden_replicator_bytes_total{{{labels},write="swap"}}']) > 100
    assert float(lines[f"warden_replicator_age_seconds{{{labels}}}"]) >= 0
