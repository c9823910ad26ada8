"""The cost of an admission does not depend on how many clusters there are."""

import json

import pytest

from tests.bench.growth import clusters, demanding, evaluations, federation_index
from tests.bench.measures import unsigned

pytestmark = pytest.mark.opa


def test_as_many_evaluations_with_many_clusters_as_with_few(opa_binary, shipped_bundle, tmp_path):
    """With the index that the replicator keeps, 2,000 clusters cost as much as 100, and the answer is the same."""
    bare = unsigned(shipped_bundle.path, tmp_path / "bare.tar.gz")
    counts = []
    for count in (100, 2000):
        replicated = clusters(count)
        index = federation_index(opa_binary, bare, replicated)
        path = tmp_path / f"{count}.json"
        path.write_text(json.dumps({"kubernetes": {"clusters": replicated, "clusterIndex": index}}), encoding="utf-8")
        counts.append(evaluations(opa_binary, bare, path, "io.k8s.federation.admission", demanding()))

    assert counts[0] == counts[1]
    assert counts[0] > 0
