"""What an API server's clients see while parts fail, and where input is bad."""

import contextlib
import json
import os

import pytest
import yaml

from tests.enforce.webhook.process import WebhookProcess
from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.k8s.remediation.remediators import PREFERENCES, Remediation
from tests.k8s.webhook.webhooks import PLACED, register, thing
from warden.base.http.ports import find_free_port
from warden.base.process.child_process import Process
from warden.state.config_map_policies.entry import POLICY_NAMESPACE

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

WEST1, WEST2 = "gce-europe-west1", "gce-europe-west2"
DEMANDS = "policy.federation.alpha.kubernetes.io/"
LARGEST = 262_144  # bytes of all annotations of an object, as the API server has it


def test_opa_is_restarted_empty(server, opa, clusters):
    """Where no cluster is known an object that has demands is refused; once they are replicated it is placed."""
    opa.restart(timeout=120)

    answer = server.send("POST", thing(name="a"))
    assert 403 == answer.status_code
    assert "KFK-PLC-003: no cluster is replicated" in answer.json()["message"]

    clusters()
    assert PLACED == server.send("POST", thing(name="a")).json()["metadata"]["annotations"][PREFERENCES]


def test_a_token_is_refused(server, webhook, faulty, opa):
    """By OPA itself; the one that the file has next is taken at once."""
    token = webhook.config.parent / "token"
    token.write_text("nobody's", encoding="utf-8")
    faulty.faults = ["forbidden", "none"]
    try:
        answer = server.send("POST", thing(name="a"))
        assert 403 == answer.status_code
        assert "refused this caller (401)" in answer.json()["message"]
    finally:
        token.write_text(opa.tokens.query, encoding="utf-8")
    assert 201 == server.send("POST", thing(name="a")).status_code


def test_a_client_certificate_is_refused(server, control_plane, opa_binary, tmp_path):
    """By an OPA that asks for one; the one that the files have next is taken."""
    ours, foreign = tmp_path / "ours", tmp_path / "foreign"
    for directory in (ours, foreign):
        directory.mkdir()
    authority, stranger = Authority(ours), Authority(foreign)
    served = authority.issue("opa", "/CN=opa", "subjectAltName=IP:127.0.0.1")
    port = find_free_port()
    options = ["--tls-cert-file", served[0], "--tls-private-key-file", served[1]]
    options += ["--tls-ca-cert-file", authority.certificate, "--authentication=tls", "--addr", f"127.0.0.1:{port}"]
    command = [str(opa_binary), "run", "--server", "--disable-telemetry", *map(str, options)]
    wrong = stranger.issue("client", "/CN=webhook", "extendedKeyUsage=clientAuth")
    document = {
        "url": f"https://127.0.0.1:{port}",
        "caFile": str(authority.certificate),
        "certificateFile": str(wrong[0]),
        "keyFile": str(wrong[1]),
        "pause": 0,
    }
    process = Process(command, dict(os.environ), tmp_path / "opa.log")
    try:
        with (
            WebhookProcess(tmp_path / "webhook", yaml.safe_dump({"opa": document})) as other,
            register(control_plane, other, "certificates"),
        ):

            def refused(why):
                answer = server.send("POST", thing(name="a"), query="?dryRun=All")
                return answer.status_code == 403 and why in answer.json()["message"]

            eventually(lambda: refused("cannot be reached"), "the certificate is refused")
            right = authority.issue("client", "/CN=webhook", "extendedKeyUsage=clientAuth")
            for old, new in zip(wrong, right, strict=True):
                new.replace(old)
            # This OPA has no policies: that it says so means that it has let the webhook in.
            eventually(lambda: refused("is undefined"), "the other certificate is taken")
    finally:
        process.stop()


def test_etcd_is_gone(server, control_plane):
    """Nothing is stored, as the client sees; then objects are placed as before."""
    control_plane.kill("etcd")
    assert server.send("POST", thing(name="a"), query="?timeout=5s").status_code >= 500
    control_plane.start_etcd()

    def placed():
        with contextlib.suppress(OSError):
            answer = server.send("POST", thing(generateName="after-"))
            return answer.status_code == 201 and answer.json()["metadata"]["annotations"][PREFERENCES] == PLACED
        return False

    eventually(placed, "objects are placed again")


def test_a_remediator_beside_the_webhook(server, workloads, config, clusters):
    """What the webhook has placed is moved once: the patch passes the webhook, which decides the same."""
    workloads.create("moves")
    assert {WEST1, WEST2} == workloads.placed("moves")
    with Remediation(config()) as remediation:
        eventually(lambda: remediation.ready()["ready"], "it watches")
        assert [] == remediation.lines("patched")
        clusters([WEST2])
        eventually(lambda: workloads.placed("moves") == {WEST2}, "it is moved")
        eventually(lambda: remediation.lines("patched"), "the log says so")
        clusters()
        workloads.create("another")
        eventually(lambda: remediation.ready()["objects"] == 2, "the other is seen")
        eventually(lambda: remediation.ready()["ready"], "all is decided")
        assert 1 == len(remediation.lines("patched"))


def test_annotations_up_to_the_limit(server):
    """As many as the API server takes; where the decision's would be too many, its sentence is the client's."""
    plain = len(json.dumps(thing()["metadata"]["annotations"]))
    for size, status in ((LARGEST - 2000, 201), (LARGEST - plain - 20, 422), (LARGEST + 1, 422)):
        sent = thing(generateName="large-")
        sent["metadata"]["annotations"]["notes"] = "x" * size
        answer = server.send("POST", sent)
        assert status == answer.status_code, answer.text[:300]
    assert "metadata.annotations: Too long" in answer.json()["message"]


def test_policies_can_be_mended_while_opa_is_away(server, control_plane, namespace, tmp_path):
    """Also where ConfigMaps are among what the webhook decides about: never those in the policies' namespace."""
    away = f"opa: {{url: 'http://127.0.0.1:{find_free_port()}', attempts: 1}}\nkinds: [{{resource: configmaps}}]\n"
    with contextlib.suppress(AssertionError):  # another test has made it
        control_plane.api("POST", "/api/v1/namespaces", {"metadata": {"name": POLICY_NAMESPACE}})
    elsewhere, config_map = namespace("elsewhere"), {"metadata": {"name": "mended"}}

    def refused():
        try:
            return not control_plane.api("POST", f"/api/v1/namespaces/{elsewhere}/configmaps?dryRun=All", config_map)
        except AssertionError as error:
            return "cannot be reached" in str(error)

    with WebhookProcess(tmp_path / "webhook", away) as other, register(control_plane, other, "config-maps"):
        eventually(refused, "the API server asks the webhook")
        path = f"/api/v1/namespaces/{POLICY_NAMESPACE}/configmaps"
        control_plane.api("POST", path, config_map)
        control_plane.api("PUT", f"{path}/mended", {**config_map, "data": {"a.rego": "package site.placement"}})
        control_plane.api("DELETE", f"{path}/mended")


@pytest.mark.parametrize("value", [3, True, {"a": "b"}, ["a"]])
def test_annotations_that_are_no_text(server, value):
    """The API server's own sentence; the webhook never sees them."""
    sent = thing(generateName="numbers-")
    sent["metadata"]["annotations"]["notes"] = value

    assert 400 == server.send("POST", sent).status_code


def test_nested_ten_thousand_deep(server):
    """In a demand the sentence names the annotation; as the object itself the API server does not take it."""
    sent = thing(generateName="deep-")
    sent["metadata"]["annotations"][f"{DEMANDS}tolerations"] = "[" * 10_000 + "]" * 10_000
    answer = server.send("POST", sent)
    assert 403 == answer.status_code
    assert f"{DEMANDS}tolerations" in answer.json()["message"]

    body = json.dumps(thing(generateName="deep-")).replace('"spec": {', '"spec": {"x": ' + "[" * 20_000, 1)
    assert 400 == server.send("POST", body.encode()).status_code
