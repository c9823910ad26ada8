"""Live clusters read by Spark: as a data source, and into a snapshot directory."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from warden.kafka.collect import collect
from warden.kafka.local_broker import LocalBroker
from warden.scan.local import spark_here
from warden.snapshot.clusters import ListedCluster
from warden.snapshot.layout import partitions
from warden.snapshot.store import read_cluster

pytestmark = [pytest.mark.kafka, pytest.mark.spark]


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A Spark session on two cores."""
    with spark_here("local[2]") as session:
        yield session


@pytest.mark.parametrize("slices", [1, 3])
def test_data_source(spark: Any, broker: LocalBroker, tmp_path: Path, slices: int) -> None:
    """Every topic of every cluster once, as a collector reads it, however many tasks share the work."""
    from spark_jobs.kafka_source import register

    named = [{"name": name, "bootstrapServers": broker.bootstrap_servers} for name in ("one", "two")]
    (tmp_path / "clusters.yaml").write_text(yaml.safe_dump({"clusters": named}))
    register(spark)
    reader = spark.read.format("warden_kafka").option("clusters", str(tmp_path / "clusters.yaml"))
    frame = reader.option("slices", str(slices)).load()
    rows = [row.asDict(recursive=True) for row in frame.collect()]
    expected = collect(broker.bootstrap_servers)["topics"]

    assert 2 * slices == frame.rdd.getNumPartitions()
    assert len(expected) > 1
    for cluster in ("one", "two"):
        found = {row["topic"]: row for row in rows if row["cluster"] == cluster}
        assert expected == {name: {key: row[key] for key in expected[name]} for name, row in found.items()}
    assert 2 * len(expected) == len(rows)


def test_bad_options(spark: Any) -> None:
    """What is wrong with the options is said before anything is read."""
    from spark_jobs.kafka_source import register

    register(spark)
    for options, said in (
        ({}, "give either the option clusters"),
        ({"bootstrap.servers": "x:1", "cluster": "c", "slices": "0"}, "option slices is '0'"),
        ({"other": "x"}, "option other is not known"),
    ):
        with pytest.raises(Exception, match=said):
            spark.read.format("warden_kafka").options(**options).load().collect()


def test_snapshots_of_many_clusters(spark: Any, broker: LocalBroker, tmp_path: Path) -> None:
    """Each cluster is written whole; one that cannot be reached is told, and keeps none of the others."""
    from spark_jobs.snapshot_clusters import take_snapshots

    clusters = [
        ListedCluster("gone", "127.0.0.1:9"),
        ListedCluster("one", broker.bootstrap_servers),
        ListedCluster("two", broker.bootstrap_servers),
    ]
    gone, one, two = take_snapshots(spark, clusters, tmp_path / "s", timeout=5)
    expected = collect(broker.bootstrap_servers)["topics"]

    assert (gone["topics"], "127.0.0.1:9" in gone["error"]) == (None, True)
    assert [(len(expected), None)] * 2 == [(row["topics"], row["error"]) for row in (one, two)]
    assert ["one", "two"] == [part.cluster for part in partitions(tmp_path / "s")]
    assert expected == read_cluster(tmp_path / "s", "two")["topics"]
