"""The component ``front``: an API server takes its pod, and OPA is reached through the front alone."""

from typing import Any

import pytest

from tests.k8s.deploy.installation import rendered
from tests.k8s.deploy.pods import NAMESPACE, apply

pytestmark = [pytest.mark.k8s, pytest.mark.opa]


@pytest.mark.parametrize("components", [["front", "config-maps"], ["config-maps", "front"]])
def test_beside_policies_of_config_maps(shipped_bundle, tmp_path, components):
    """What that component adds to OPA's options stays, whichever is named first."""
    with rendered(shipped_bundle, tmp_path, components) as documents:
        [opa] = [one for one in documents if (one["kind"], one["metadata"]["name"]) == ("StatefulSet", "opa")]
    arguments = opa["spec"]["template"]["spec"]["containers"][0]["args"]
    assert "--addr=127.0.0.1:8182" in arguments
    assert 9 == sum(argument.startswith("--set=") for argument in arguments)
    assert not [argument for argument in arguments if argument.startswith("--tls")]


def test_opa_is_reached_through_the_front_alone(control_plane, shipped_bundle, tmp_path):
    """OPA listens on the pod's loopback, the front on the Service's port with OPA's certificate and tokens."""
    with rendered(shipped_bundle, tmp_path, ["front"]) as documents:
        [opa] = [one for one in documents if (one["kind"], one["metadata"]["name"]) == ("StatefulSet", "opa")]
    spec = opa["spec"]["template"]["spec"]
    [container] = spec["containers"]
    [_, front] = spec["initContainers"]
    variables = {entry["name"]: entry["value"] for entry in front["env"]}
    secrets = {one["metadata"]["name"]: one for one in documents if one["kind"] == "Secret"}
    volumes = {volume["name"]: volume for volume in spec["volumes"]}
    places = {mount["mountPath"]: volumes[mount["name"]] for mount in front["volumeMounts"]}

    assert "--addr=127.0.0.1:8182" in container["args"]
    assert not [argument for argument in container["args"] if "tls" in argument]
    assert ("0.0.0.0:8181", "http://127.0.0.1:8182", "Always") == (
        variables["WARDEN_FRONT_LISTEN"],
        variables["WARDEN_FRONT_OPA"],
        front["restartPolicy"],
    )
    assert {"query", "replicator", "policies", "admin"} == set(
        secrets[places[variables["WARDEN_FRONT_PARTS"]]["secret"]["secretName"]]["data"]
    )
    assert {"tls.crt", "tls.key"} < set(secrets[places[variables["WARDEN_FRONT_TLS"]]["secret"]["secretName"]]["data"])
    pod: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "opa", "namespace": NAMESPACE},
        "spec": {**spec, "volumes": [*spec["volumes"], {"name": "bundle"}]},
    }
    for document in (pod, opa):
        answer = apply(control_plane, document, query="&dryRun=All")
        assert answer.ok, answer.text
        assert "warning" not in answer.headers, answer.headers["warning"]
