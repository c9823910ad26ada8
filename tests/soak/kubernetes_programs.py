"""The webhook and the remediator in processes of their own, before a real API server, under load."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import requests
import yaml

from tests.enforce.webhook.process import WebhookProcess
from tests.fixtures.conditions import eventually
from tests.k8s.control_plane import ControlPlane
from tests.k8s.definitions import define_type
from tests.k8s.remediation.remediators import CLUSTERS, PREFERENCES, Remediation, configuration
from tests.k8s.webhook.webhooks import Server, register, thing
from tests.soak.load import ALLOWED, DENIED, Answer, Load, Loaded
from warden.policy.opa.local import LocalOpa

__all__ = ["RESOURCE", "prepare_kubernetes", "run_remediator", "run_webhook"]

_GROUP, _VERSION = "federation.warden.test", "v1beta1"
RESOURCE = {"apiVersion": f"{_GROUP}/{_VERSION}", "kind": "Cluster"}
"""The type of objects that say which clusters there are, for a replicator."""

_ADMITTED, _REMEDIATED = "soak-admitted", "soak-remediated"
_ELSEWHERE = json.dumps({"rebalance": True, "clusters": {"gce-us-central1": {"weight": 1}}})  # policy denies it here
_LEVEL = "policy.federation.alpha.kubernetes.io/pci-compliance-level"
_PAUSE = 0.1
_WAIT = 600.0  # seconds until an object is placed, faults included


def prepare_kubernetes(plane: ControlPlane) -> None:
    """Make the namespaces, the type `RESOURCE`, and the clusters of the design's example as objects of it."""
    for name in (_ADMITTED, _REMEDIATED):
        plane.api("POST", "/api/v1/namespaces", {"metadata": {"name": name}})
    names = {"plural": "clusters", "singular": "cluster", "kind": "Cluster", "listKind": "ClusterList"}
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    versions = [{"name": _VERSION, "served": True, "storage": True, "schema": schema}]
    spec = {"group": _GROUP, "scope": "Cluster", "names": names, "versions": versions}
    define_type(plane, {"metadata": {"name": f"clusters.{_GROUP}"}, "spec": spec})
    for name, cluster in CLUSTERS.items():
        made = {**cluster, **RESOURCE, "metadata": {**cluster["metadata"], "name": name}}
        plane.api("POST", f"/apis/{_GROUP}/{_VERSION}/clusters", made)


@contextmanager
def run_webhook(directory: Path, plane: ControlPlane, opa: dict[str, Any], random: random.Random) -> Iterator[Loaded]:
    """Run a webhook that the API server asks, and somebody who makes objects without storing them.

    Args:
        directory: For its files.
        plane: The API server.
        opa: Of its configuration.
        random: Says what is requested.
    """
    server = Server(plane, _ADMITTED)
    webhook = WebhookProcess(directory, yaml.safe_dump({"opa": opa | {"timeout": 12, "attempts": 2}}))
    only = {"matchLabels": {"kubernetes.io/metadata.name": _ADMITTED}}

    def ask(is_good: bool) -> Answer:
        sent = thing(generateName="load-")
        if not is_good:
            sent["metadata"]["annotations"][PREFERENCES] = _ELSEWHERE
        try:
            answer = server.send("POST", sent, query="?dryRun=All")
        except requests.RequestException as error:
            return Answer(type(error).__name__, str(error))
        if answer.ok:
            is_placed = PREFERENCES in answer.json()["metadata"]["annotations"]
            return Answer(ALLOWED if is_placed or not is_good else "admitted without a place")
        return Answer(DENIED if "invalid clusters" in answer.text else str(answer.status_code), answer.text)

    with webhook, register(plane, webhook, "soak", namespaceSelector=only), Load(ask, random, _PAUSE) as load:
        yield Loaded("webhook", webhook.pid, load)
        load.stop()


@contextmanager
def run_remediator(
    directory: Path, plane: ControlPlane, opa: LocalOpa, token: Path, random: random.Random
) -> Iterator[Loaded]:
    """Run a remediator, and somebody who stores objects where policy does not want them, and waits until they move.

    An object that policy refuses to have moved counts as denied: it stays, while a later one moves.

    Args:
        directory: For its files.
        plane: The API server.
        opa: The OPA.
        token: File of a token for it.
        random: Says what is stored.
    """
    all_may_move = {"stop": {"share": 1.0, "atLeast": 1_000_000}}
    asks = {"url": opa.url, "token": {"file": str(token)}, "timeout": 30}
    config = configuration(directory, plane, opa.url, "", _REMEDIATED, opa=asks, **all_may_move)
    server, number = Server(plane, _REMEDIATED), 0

    def ask(is_good: bool) -> Answer:
        nonlocal number
        number += 1
        name = f"load-{number}"
        try:
            return _store(server, name, is_good=is_good)
        except requests.RequestException as error:
            return Answer(type(error).__name__, str(error))
        except AssertionError:
            return Answer("not moved in time")
        finally:
            with suppress(requests.RequestException):
                server.send("DELETE", name=name)
                server.send("DELETE", name=f"{name}-refused")

    with Remediation(config) as remediation, Load(ask, random, _PAUSE) as load:
        yield Loaded("remediator", remediation.pid, load)
        load.stop()


def _store(server: Server, name: str, *, is_good: bool) -> Answer:
    """Store an object that is to move; before it one that may not, since its demand cannot be read, if not good."""
    refused = f"{name}-refused"
    for stored, level in ([] if is_good else [(refused, "high")]) + [(name, "2")]:
        sent = thing(name=stored)
        sent["metadata"]["annotations"] |= {PREFERENCES: _ELSEWHERE, _LEVEL: level}
        answer = server.send("POST", sent)
        if not answer.ok:
            return Answer(str(answer.status_code), answer.text)
    eventually(lambda: _placed(server, name) != _ELSEWHERE, "it is moved", _WAIT)
    return Answer(ALLOWED if is_good or _placed(server, refused) != _ELSEWHERE else DENIED)


def _placed(server: Server, name: str) -> str | None:
    answer = server.send("GET", name=name)
    return answer.json()["metadata"]["annotations"].get(PREFERENCES) if answer.ok else _ELSEWHERE
