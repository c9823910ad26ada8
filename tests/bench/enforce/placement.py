"""`python -m tests.bench.enforce.placement`: the four parts of placement around a real API server, in one run."""

import argparse
import base64
import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import requests
import yaml

from tests.bench.decisions.growth import clusters, demanding
from tests.bench.decisions.latency import in_turn
from tests.bench.enforce.bare_webhook import bare_webhook
from tests.bench.enforce.gateway_process import cpu_seconds, resident_mebibytes
from tests.enforce.webhook.process import WebhookProcess
from tests.fixtures.conditions import eventually
from tests.k8s.control_plane import ControlPlane
from tests.k8s.definitions import define_type, structural
from tests.k8s.four_parts import FourParts
from tests.k8s.remediation.remediators import PREFERENCES
from tests.k8s.webhook.webhooks import register
from warden.base.process.progress import show_working
from warden.base.resources import find_shipped
from warden.policy.bundle.build import build_bundle
from warden.policy.bundle.contents import PolicySelection
from warden.policy.opa.local import LocalOpa

__all__ = ["measure_placement", "show_placement"]

_CLUSTERS: Final = "bench.warden.test/v1"
_RATE: Final = 50.0  # patches a second
_NAMES: Final = "kubernetes.io/metadata.name"
_POLICY: Final = 'package site.placement\n\nwarnings contains "{number}" if input.kind == "ReplicaSet"\n'
_HOUR: Final = 3600.0


def measure_placement(calls: int = 1000, objects: int = 10_000, idle: float = 30.0) -> dict[str, Any]:
    """Measure everything once.

    Args:
        calls: Creations of an object, with and without the webhook in turn, for each number of clusters.
        objects: Objects that are decided about after a change.
        idle: Seconds in which nothing happens.
    """
    os.environ.setdefault("GOGC", "400")  # as deploy/kubernetes has it for OPA
    found: dict[str, Any] = {}
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory(prefix="warden-bench-")))
        plane = stack.enter_context(ControlPlane())
        for name in ("direct", "bare", "webhook", "policies", "workloads"):
            plane.api("POST", "/api/v1/namespaces", {"metadata": {"name": name}})
        with show_working("the webhook"):
            found["webhook"] = {count: _webhook(plane, directory / f"{count}", count, calls) for count in (100, 5000)}
        with show_working(f"{objects:,} objects"):
            _create(plane, objects)
        with _four_parts(plane, directory) as parts:
            with show_working("policies from ConfigMaps"):
                found["configMaps"] = _config_maps(plane, parts)
            with show_working("a change of the clusters"):
                found["remediation"] = _remediation(plane, parts, objects)
            with show_working("nothing at all"):
                found["idle"] = _idle(parts, idle)
    return found


def _webhook(plane: ControlPlane, directory: Path, count: int, calls: int) -> dict[str, float]:
    """Milliseconds of a creation, also with a webhook that decides nothing and with ours, and what ours spends."""
    directory.mkdir()
    bundle = build_bundle(directory / "b.tar.gz", policies=PolicySelection(find_shipped("policies"), "placement"))
    with LocalOpa(bundle) as opa, opa.build_client(opa.tokens.replicator) as client, requests.Session() as session:
        known = clusters(count)
        index = client.evaluate("io/k8s/federation/index", {"clusters": known})
        client.put_data(["kubernetes"], {"clusters": known, "clusterIndex": index})
        (directory / "token").write_text(opa.tokens.query, encoding="utf-8")
        config = yaml.safe_dump({"opa": {"url": opa.url, "token": {"file": "token"}}})
        with (
            WebhookProcess(directory, config) as webhook,
            bare_webhook(webhook.certificate, webhook.key) as bare,
            register(plane, webhook, "bench", namespaceSelector=_only("webhook")),
            _registered_bare(plane, webhook, bare),
        ):
            session.headers["Authorization"] = f"Bearer {plane.admin_token}"
            session.trust_env = False
            session.verify = str(plane.authority.certificate)
            create = {name: partial(_dry_run, session, plane, name) for name in ("direct", "bare", "webhook")}
            eventually(lambda: PREFERENCES in create["webhook"](), "the API server asks the webhook")
            before = cpu_seconds(webhook.pid), cpu_seconds(opa.pid)
            taken = in_turn(create, calls)
            spent = cpu_seconds(webhook.pid) - before[0], cpu_seconds(opa.pid) - before[1]
            memory = resident_mebibytes(webhook.pid)
    points = {name: statistics.quantiles(times, n=100) for name, times in taken.items()}
    p50, p99 = ((points["webhook"][at] - points["direct"][at]) * 1e3 for at in (49, 98))
    return {
        "directP50Ms": points["direct"][49] * 1e3,
        "bareP50Ms": points["bare"][49] * 1e3,
        "addedP50Ms": p50,
        "addedP99Ms": p99,
        "webhookCpuMs": spent[0] / calls * 1e3,
        "opaCpuMs": spent[1] / calls * 1e3,
        "webhookMebibytes": memory,
    }


def _only(namespace: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": _NAMES, "operator": "In", "values": [namespace]}]}


@contextmanager
def _registered_bare(plane: ControlPlane, webhook: WebhookProcess, url: str) -> Iterator[None]:
    trusted = base64.b64encode(webhook.authority.certificate.read_bytes()).decode()
    client = {"url": url, "caBundle": trusted}
    with register(plane, webhook, "bench-bare", namespaceSelector=_only("bare"), clientConfig=client):
        yield


def _dry_run(session: requests.Session, plane: ControlPlane, namespace: str) -> dict[str, Any]:
    url = f"{plane.url}/apis/apps/v1/namespaces/{namespace}/replicasets?dryRun=All"
    answer = session.post(url, json=_thing(generateName="bench-"))
    answer.raise_for_status()
    return dict(answer.json()["metadata"]["annotations"])


def _thing(**metadata: Any) -> dict[str, Any]:
    """Return a ReplicaSet that demands what four clusters have."""
    thing = demanding()
    labels = {"app": "bench"}
    container = {"name": "a", "image": "a"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    spec = {"replicas": 4, "selector": {"matchLabels": labels}, "template": template}
    whole = {"annotations": thing["metadata"]["annotations"], **metadata}
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": whole, "spec": spec}


def _create(plane: ControlPlane, objects: int) -> None:
    """Store objects on the four clusters that fit, before there is a webhook."""
    wish = json.dumps({"rebalance": True, "clusters": {f"cluster-{i}": {"weight": 1} for i in range(4)}})
    path, annotations = "/apis/apps/v1/namespaces/workloads/replicasets", _thing()["metadata"]["annotations"]

    def create(number: int) -> None:
        plane.api("POST", path, _thing(name=f"bench-{number}", annotations={**annotations, PREFERENCES: wish}))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(create, range(objects)))


@contextmanager
def _four_parts(plane: ControlPlane, directory: Path) -> Iterator[FourParts]:
    anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    definition = structural(_CLUSTERS, "Cluster", anything, namespaced=False)
    definition["spec"]["versions"][0]["schema"] = {"openAPIV3Schema": anything}
    define_type(plane, definition)
    for cluster in clusters(100).values():
        del cluster["metadata"]["resourceVersion"]
        plane.api("POST", f"/apis/{_CLUSTERS}/clusters", {**cluster, "apiVersion": _CLUSTERS})
    more = {"rate": {"perSecond": _RATE, "burst": 10}, "stop": {"share": 1.0, "atLeast": 100_000}, "resync": _HOUR}
    with FourParts(plane, directory, _CLUSTERS, "policies", "workloads", **more) as parts:
        eventually(lambda: parts.remediator.ready()["ready"], "all objects have been decided about", 600)
        yield parts


def _config_maps(plane: ControlPlane, parts: FourParts, changes: int = 10) -> dict[str, float]:
    """Seconds from the change of a ConfigMap to the first decision by it, and of the slowest decision meanwhile."""
    path, taken, seen = "/api/v1/namespaces/policies/configmaps", [], threading.Event()
    slowest, over, wanted = [0.0], threading.Event(), [""]

    def decide() -> None:
        with requests.Session() as session:
            session.headers["Authorization"] = f"Bearer {parts.opa.tokens.query}"
            while not over.is_set():
                started = time.perf_counter()
                answer = session.post(
                    f"{parts.opa.url}/v1/data/io/k8s/federation/admission", json={"input": _thing(name="a")}
                )
                slowest[0] = max(slowest[0], time.perf_counter() - started)
                if wanted[0] in answer.json()["result"].get("warnings", []):
                    seen.set()
                over.wait(0.002)

    thread = threading.Thread(target=decide, daemon=True)
    thread.start()
    try:
        for number in range(changes + 1):
            config_map = {"metadata": {"name": "bench"}, "data": {"a.rego": _POLICY.format(number=number)}}
            seen.clear()
            wanted[0] = str(number)
            if number == 1:
                slowest[0] = 0.0
            started = time.perf_counter()
            plane.api(*(("PUT", f"{path}/bench") if number else ("POST", path)), config_map)
            if not seen.wait(300):
                raise RuntimeError("a ConfigMap changes no decision")
            taken.append(time.perf_counter() - started)
    finally:
        over.set()
        thread.join(60)
    return {"median": statistics.median(taken[1:]), "most": max(taken[1:]), "slowestDecision": slowest[0]}


def _remediation(plane: ControlPlane, parts: FourParts, objects: int, watched: float = 20.0) -> dict[str, float]:
    """Seconds from a cluster's change until all objects that it touches are decided about, and how fast they move."""
    remediator, path = parts.remediator, f"/apis/{_CLUSTERS}/clusters/cluster-3"
    eventually(lambda: remediator.ready()["ready"], "nothing is due", 600)
    before = cpu_seconds(remediator.pid), cpu_seconds(parts.opa.pid)
    cluster = plane.api("GET", path)
    cluster["metadata"]["labels"]["pci-compliance-level"] = "1"
    patched = _patched(remediator.metrics())
    started = time.perf_counter()
    plane.api("PUT", path, cluster)

    def decided() -> bool:
        shown = remediator.ready()
        return bool(not shown["due"] and shown["pending"] + _patched(remediator.metrics()) - patched >= objects)

    eventually(decided, "all objects are decided about", 600)
    taken = time.perf_counter() - started
    spent = cpu_seconds(remediator.pid) - before[0], cpu_seconds(parts.opa.pid) - before[1]
    first, started = _patched(remediator.metrics()), time.perf_counter()
    time.sleep(min(watched, objects / _RATE / 2))
    rate = (_patched(remediator.metrics()) - first) / (time.perf_counter() - started)
    return {
        "objects": objects,
        "seconds": taken,
        "remediatorCpu": spent[0],
        "opaCpu": spent[1],
        "patchesPerSecond": rate,
        "setRate": _RATE,
        "mebibytes": resident_mebibytes(remediator.pid),
    }


def _patched(metrics: dict[str, float]) -> float:
    return metrics.get('warden_remediator_patches_total{result="patched"}', 0.0)


def _idle(parts: FourParts, seconds: float) -> dict[str, float]:
    """Percent of a core that each part takes while nothing happens."""
    eventually(lambda: parts.remediator.ready()["ready"] and not parts.remediator.ready()["pending"], "quiet", 1200)
    before = {name: cpu_seconds(pid) for name, pid in parts.pids.items()}
    time.sleep(seconds)
    return {name: (cpu_seconds(pid) - before[name]) / seconds * 100 for name, pid in parts.pids.items()}


def show_placement(found: dict[str, Any]) -> list[str]:
    """Return the lines that a person reads, with the targets."""
    lines = []
    for count, row in found["webhook"].items():
        lines.append(
            f"webhook, {int(count):,} clusters: adds p50 {row['addedP50Ms']:.1f} ms (target 5), "
            f"p99 {row['addedP99Ms']:.1f} ms (target 25) to {row['directP50Ms']:.1f} ms, which with a webhook that "
            f"decides nothing are {row['bareP50Ms']:.1f} ms; processor of the webhook "
            f"{row['webhookCpuMs']:.2f} ms, of OPA {row['opaCpuMs']:.2f} ms; {row['webhookMebibytes']:.0f} MiB"
        )
    rows = list(found["webhook"].values())
    lines.append(f"5,000 clusters to 100: {rows[1]['addedP50Ms'] / rows[0]['addedP50Ms']:.2f} times the time added")
    row = found["configMaps"]
    lines.append(
        f"ConfigMap changed: new decision after {row['median']:.2f} s (target 0.5), at most {row['most']:.2f} s; "
        f"slowest decision meanwhile {row['slowestDecision'] * 1e3:.0f} ms (target 50)"
    )
    row = found["remediation"]
    lines.append(
        f"{row['objects']:,} objects decided about {row['seconds']:.1f} s after a cluster has changed (target 10); "
        f"processor of the remediator {row['remediatorCpu']:.1f} s, of OPA {row['opaCpu']:.1f} s; "
        f"{row['patchesPerSecond']:.1f} patches a second of {row['setRate']:.0f}; {row['mebibytes']:.0f} MiB"
    )
    idle = ", ".join(f"{name} {percent:.2f} %" for name, percent in found["idle"].items())
    return [*lines, f"idle, of a core (target 1 % each): {idle}"]


def main() -> int:
    """Measure, print, and write the figures as JSON where wanted."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.enforce.placement", description="Measure placement.")
    parser.add_argument("--calls", type=int, default=1000, help="creations with and without the webhook (1000)")
    parser.add_argument("--objects", type=int, default=10_000, help="objects that are decided about (10000)")
    parser.add_argument("--out", type=Path, help="file for the figures")
    options = parser.parse_args()
    found = measure_placement(options.calls, options.objects)
    for line in show_placement(found):
        print(line)
    if options.out:
        options.out.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
