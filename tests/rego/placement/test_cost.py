"""The cost of an admission depends on the clusters that an object may get, not on how many there are."""

import itertools
import json

import pytest

from tests.bench.decisions.growth import clusters, demanding, evaluations, federation_index
from tests.bench.measures import unsigned

pytestmark = [pytest.mark.opa, pytest.mark.slow]


@pytest.fixture
def cost(opa_binary, shipped_bundle, tmp_path):
    """Counts the evaluations of an admission, with the index that the replicator keeps."""
    bare = unsigned(shipped_bundle.path, tmp_path / "bare.tar.gz")

    def count(replicated, thing):
        index = federation_index(opa_binary, bare, replicated)
        path = tmp_path / "data.json"
        path.write_text(json.dumps({"kubernetes": {"clusters": replicated, "clusterIndex": index}}), encoding="utf-8")
        return evaluations(opa_binary, bare, path, "io.k8s.federation.admission", thing)

    return count


def test_as_many_evaluations_with_many_clusters_as_with_few(cost):
    """Where four clusters fit, 2,000 cost as much as 100."""
    counts = [cost(clusters(count), demanding()) for count in (100, 2000)]

    assert counts[0] == counts[1]
    assert counts[0] > 0


def test_an_object_that_names_its_clusters_costs_as_much_in_any_fleet(cost):
    """Which clusters fit besides is not worked out, however many do."""
    counts = [cost(clusters(count, fitting=count // 2), demanding("cluster-1")) for count in (100, 2000)]

    assert counts[0] == counts[1]
    assert counts[0] > 0


def test_a_list_of_all_clusters_that_fit_is_linear_and_cheap(cost):
    """An object without wishes gets all clusters that fit: each costs the same few evaluations, in any fleet."""
    counts = [cost(clusters(1000, fitting=fitting), demanding()) for fitting in (100, 200, 400)]
    each = [(more - fewer) / (100 * 2**i) for i, (fewer, more) in enumerate(itertools.pairwise(counts))]

    assert each[0] == each[1]
    assert 0 < each[0] <= 30


def test_what_is_kept_with_the_index_is_not_worked_out_again(cost):
    """Objects whose version is unknown are looked at anew, which costs more."""
    kept = clusters(200, fitting=100)
    unversioned = clusters(200, fitting=100)
    for thing in unversioned.values():
        del thing["metadata"]["resourceVersion"]

    assert 2 * cost(kept, demanding()) < cost(unversioned, demanding())
