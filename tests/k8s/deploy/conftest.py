"""The manifests on an API server of their own, and the parts as processes, for all tests here."""

import pytest

from tests.k8s.deploy.installation import installed, rendered, running


@pytest.fixture(scope="package")
def documents(shipped_bundle, tmp_path_factory):
    """What kustomize makes with the gateway and the service, for an OPA that fetches the shipped bundle."""
    with rendered(shipped_bundle, tmp_path_factory.mktemp("rendered"), ["kafka"]) as documents:
        yield documents


@pytest.fixture(scope="package")
def audited(tmp_path_factory):
    """The log of what service accounts of Warden's have wanted an API server."""
    return tmp_path_factory.mktemp("audit") / "log"


@pytest.fixture(scope="package")
def control_plane(documents, audited):
    """An API server of its own, with Karmada's clusters and all manifests, each of which it has taken as it stands."""
    with installed(documents, audited) as control_plane:
        yield control_plane


@pytest.fixture(scope="package")
def pods(control_plane, documents, opa_binary, tmp_path_factory):
    """All four parts as processes, ready by their own probes, and the webhook's Service leading to this machine."""
    with running(control_plane, documents, opa_binary, tmp_path_factory.mktemp("pods")) as pods:
        yield pods
