"""Evaluation counts: how often OPA evaluates an expression for one decision, whatever the machine.

The cost of a decision must not depend on how much is stored; a count shows it where a time would only hint at it.
"""

import json
from pathlib import Path
from typing import Any

from tests.bench.decisions.decision_inputs import CLUSTER, decision_inputs, state
from tests.bench.decisions.profile import evaluations_by_file
from warden.policy.bundle.opa import evaluate_opa

__all__ = [
    "client_state",
    "clusters",
    "demanding",
    "evaluations",
    "federation_index",
    "measure_counts",
    "stored_topics",
]

_PCI = "policy.federation.alpha.kubernetes.io/pci-compliance-level"
_PREFERENCES = "federation.kubernetes.io/replica-set-preferences"
_EU = "policy.federation.alpha.kubernetes.io/eu-jurisdiction-required"


def evaluations(opa: Path, bundle: Path, document: Path, path: str, decision_input: Any) -> int:
    """Return the sum of OPA's evaluation counts for one decision.

    Args:
        opa: The binary.
        bundle: The bundle, unsigned.
        document: JSON file with the replicated data.
        path: Such as ``kafka.client_configs.effective``.
        decision_input: Its input.
    """
    return sum(evaluations_by_file(opa, bundle, f"data.{path}", decision_input, document).values())


def stored_topics(topics: int) -> dict[str, Any]:
    """What a replicator holds of one cluster with so many topics, the one that the inputs are about among them."""
    return {"clusters": {CLUSTER: state(topics)}}


def client_state(entities: int) -> dict[str, Any]:
    """A cluster with so many client entities: alice with a client, and users of ten clients each."""
    stored: dict[str, Any] = {"alice": {"": {"acks": "-1", "session.timeout.ms": "11000"}, "app": {"acks": "0"}}}
    for i in range(entities - 2):
        stored.setdefault(f"user-{i // 10}", {})[f"client-{i % 10}"] = {"acks": "1"}
    return {"clusters": {"prod": {"clientConfigs": stored, "acls": {}}}}


def clusters(count: int, fitting: int = 4) -> dict[str, Any]:
    """So many cluster objects by name, some of which lie in the EU with a level of 2 or more."""
    return {
        f"cluster-{i}": {
            "apiVersion": "federation/v1beta1",
            "kind": "Cluster",
            "metadata": {
                "name": f"cluster-{i}",
                "resourceVersion": str(i + 1),
                "labels": {"pci-compliance-level": "3" if i < fitting else "1"},
            },
            "status": {"region": "europe-west1" if i < 2 * fitting else f"us-east{i % 30}"},
        }
        for i in range(count)
    }


def federation_index(opa: Path, bundle: Path, replicated: dict[str, Any]) -> Any:
    """The index that a replicator keeps of cluster objects, as the policy makes it."""
    arguments = ("--bundle", str(bundle), "data.io.k8s.federation.index")
    return evaluate_opa(opa, *arguments, stdin=json.dumps({"clusters": replicated}))


def demanding(*names: str) -> dict[str, Any]:
    """The object of the design's example, which may name the clusters that it wants."""
    annotations = {_EU: "true", _PCI: "2"}
    if names:
        annotations[_PREFERENCES] = json.dumps({"clusters": {name: {"weight": 1} for name in names}})
    metadata = {"name": "nginx-eu", "namespace": "default", "annotations": annotations}
    return {"apiVersion": "extensions/v1beta1", "kind": "ReplicaSet", "metadata": metadata, "spec": {"replicas": 4}}


def measure_counts(opa: Path, bundle: Path, directory: Path) -> dict[str, int]:
    """Count decisions about topics, clients and placement with little and with much data.

    Args:
        opa: The binary.
        bundle: The bundle, unsigned.
        directory: Where the data is written.
    """
    found = {}
    for topics in (100, 100_000):
        document = _write(directory / f"topics-{topics}.json", stored_topics(topics))
        for operation in ("CreateTopic", "AlterTopic", "AuditTopic", "DeleteTopic"):
            name = f"{operation}, {topics:,} topics"
            found[name] = evaluations(opa, bundle, document, "kafka.decision", decision_inputs()[operation])
    for entities in (100, 100_000):
        document = _write(directory / f"clients-{entities}.json", client_state(entities))
        decision_input = {"cluster": "prod", "user": "alice", "clientId": "app"}
        name = f"effective client config, {entities:,} entities"
        found[name] = evaluations(opa, bundle, document, "kafka.client_configs.effective", decision_input)
    for count in (100, 5_000):
        replicated = clusters(count)
        index = federation_index(opa, bundle, replicated)
        for note, kept in (("", {"clusterIndex": index}), (" without an index", {})):
            document = _write(directory / f"clusters-{count}.json", {"kubernetes": {"clusters": replicated, **kept}})
            name = f"admission, {count:,} clusters{note}"
            found[name] = evaluations(opa, bundle, document, "io.k8s.federation.admission", demanding())
        replicated = clusters(count, fitting=count // 2)
        kept = {"clusterIndex": federation_index(opa, bundle, replicated)}
        document = _write(directory / f"fitting-{count}.json", {"kubernetes": {"clusters": replicated, **kept}})
        for note, names in ((" that names one", ("cluster-1",)), ("", ())):
            name = f"admission{note}, {count:,} clusters of which half fit"
            found[name] = evaluations(opa, bundle, document, "io.k8s.federation.admission", demanding(*names))
    return found


def _write(path: Path, document: dict[str, Any]) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path
