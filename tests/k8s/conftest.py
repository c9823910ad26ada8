"""One real control plane and one real OPA for all tests here; each test has objects and a replicator of its own."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.enforce.webhook.faulty_opa import FaultyOpa
from tests.enforce.webhook.process import WebhookProcess
from tests.fixtures.conditions import eventually
from tests.k8s.control_plane import ControlPlane
from tests.k8s.definitions import wait_until_served
from tests.k8s.remediation.remediators import CLUSTERS, PREFERENCES, Workloads, configuration
from tests.k8s.source.copies import Copies
from tests.k8s.source.proxy import Wire
from tests.k8s.target_types import define_targets
from tests.k8s.webhook.webhooks import CONFIG, Server, register, thing
from warden.base.resources import find_shipped
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.bundle.contents import PolicySelection
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa


@pytest.fixture(scope="session")
def opa(replicated_opa: LocalOpa) -> LocalOpa:
    """The OPA that tests write to."""
    return replicated_opa


@pytest.fixture(scope="session")
def placement_bundle(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """The bundle of placement alone."""
    only = PolicySelection(find_shipped("policies"), "placement")
    return build_bundle(tmp_path_factory.mktemp("placement") / "bundle.tar.gz", policies=only, opa=opa_binary)


@pytest.fixture(scope="session")
def control_plane() -> Iterator[ControlPlane]:
    """etcd and an API server; a test that kills one of them starts it again."""
    with ControlPlane() as running:
        yield running


@pytest.fixture(scope="session")
def targets(control_plane: ControlPlane) -> ControlPlane:
    """The API server, with the types of all targets."""
    define_targets(control_plane)
    return control_plane


@pytest.fixture(autouse=True)
def _whole(control_plane: ControlPlane) -> Iterator[None]:
    """Let no test find what an earlier one has broken."""
    yield
    control_plane.mend()


@pytest.fixture
def replicator(opa: LocalOpa) -> Iterator[OpaClient]:
    """A client with the replicator's token, of an OPA that knows nothing of Kubernetes yet."""
    with OpaClient(opa.url, token=opa.tokens.replicator) as client:
        client.put_data(["kubernetes"], {})
        yield client


@pytest.fixture
def copies(control_plane: ControlPlane, opa: LocalOpa, replicator: OpaClient, tmp_path: Path) -> Iterator[Copies]:
    """What starts replicators, and compares OPA's copy with what the API server lists."""
    with Copies(control_plane, opa, replicator, tmp_path) as started:
        yield started


@pytest.fixture
def wire(control_plane: ControlPlane) -> Iterator[Wire]:
    """A wire to the API server."""
    with Wire(control_plane.port) as laid:
        yield laid


@pytest.fixture(scope="session")
def define(control_plane: ControlPlane) -> Callable[[str, str, str], str]:
    """Makes a resource type without namespaces, of objects that hold anything, and returns their path."""

    def make(group: str, version: str, kind: str) -> str:
        plural = f"{kind.lower()}s"
        names = {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"}
        schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
        versions = [{"name": version, "served": True, "storage": True, "schema": schema}]
        spec = {"group": group, "scope": "Cluster", "names": names, "versions": versions}
        definition = {"metadata": {"name": f"{plural}.{group}"}, "spec": spec}
        control_plane.api("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition)
        path = f"/apis/{group}/{version}/{plural}"
        wait_until_served(control_plane, path)
        return path

    return make


@pytest.fixture
def namespace(control_plane: ControlPlane, request: pytest.FixtureRequest) -> Iterator[Callable[..., str]]:
    """Makes namespaces of this test; what is in them goes when it ends. They stay: no controller would finish them."""
    made: list[str] = []

    def make(name: str) -> str:
        full = f"{name}-{abs(hash(request.node.nodeid)) % 10**8}"
        control_plane.api("POST", "/api/v1/namespaces", {"metadata": {"name": full}})
        made.append(full)
        return full

    yield make
    for name in made:
        control_plane.api("DELETE", f"/api/v1/namespaces/{name}/configmaps")


@pytest.fixture
def workloads(control_plane: ControlPlane, opa: LocalOpa, namespace: Callable[..., str]) -> Iterator[Workloads]:
    """Objects to remediate, in a namespace of this test."""
    made = Workloads(control_plane, opa, namespace("workloads"))
    yield made
    made.delete()


@pytest.fixture
def config(tmp_path: Path, control_plane: ControlPlane, opa: LocalOpa, workloads: Workloads) -> Callable[..., Path]:
    """Writes a remediator's configuration for them; further keys are arguments."""

    def write(directory: str = "one", url: str = opa.url, **more: Any) -> Path:
        return configuration(tmp_path / directory, control_plane, url, opa.tokens.query, workloads.namespace, **more)

    return write


@pytest.fixture
def clusters(replicator: OpaClient) -> Callable[..., None]:
    """Tells OPA which clusters there are, as a replicator would write it; at first those of the design."""
    written = 0

    def write(names: Iterable[str] = tuple(CLUSTERS), **more: Any) -> None:
        nonlocal written
        written += 1
        kept = {name: CLUSTERS[name] for name in names}
        replicator.put_data(["kubernetes"], {"clusters": kept, "meta": {"revision": f"r.{written}"}, **more})

    write()
    return write


@pytest.fixture(scope="module")
def faulty(opa: LocalOpa) -> Iterator[FaultyOpa]:
    """What stands between the webhook and OPA."""
    with FaultyOpa(opa.url) as running:
        yield running


@pytest.fixture(scope="module")
def webhook(
    control_plane: ControlPlane, opa: LocalOpa, faulty: FaultyOpa, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebhookProcess]:
    """A process of its own, registered at the API server by the manifest that its command prints."""
    directory = tmp_path_factory.mktemp("webhook")
    (directory / "token").write_text(opa.tokens.query, encoding="utf-8")
    with (
        WebhookProcess(directory, CONFIG.format(url=faulty.url)) as running,
        register(control_plane, running),
    ):
        yield running


@pytest.fixture
def server(
    control_plane: ControlPlane,
    webhook: WebhookProcess,
    faulty: FaultyOpa,
    clusters: Callable[..., None],
    namespace: Callable[..., str],
) -> Server:
    """The API server, once it asks the webhook; OPA has the clusters of the design's example."""
    faulty.faults = ["none"]
    sends = Server(control_plane, namespace("webhook"))

    def is_decided() -> bool:
        answer = sends.send("POST", thing(name="probe"), query="?dryRun=All")
        return PREFERENCES in answer.json().get("metadata", {}).get("annotations", {})

    eventually(is_decided, "the API server asks the webhook")
    return sends
