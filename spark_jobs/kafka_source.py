"""Live clusters as a source of Spark: ``spark.read.format("warden_kafka")``.

    from spark_jobs.kafka_source import register
    register(spark)
    topics = spark.read.format("warden_kafka").option("clusters", "clusters.yaml").load()

Options: ``clusters`` (a YAML file, see `warden.snapshot.clusters`), or ``bootstrap.servers`` with ``cluster`` (a name)
and ``command.config`` (Kafka's client properties); ``slices`` (tasks for each cluster, 1), ``timeout`` (seconds, 15).
Planning and each task run in Python processes of their own, so that nothing heavy is imported up here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from spark_jobs.schemas import PARTITION, TOPIC
from warden.errors import ConfigurationError
from warden.snapshot.clusters import ListedCluster, read_clusters

__all__ = ["KafkaDataSource", "register"]

_OPTIONS = {"clusters", "bootstrap.servers", "cluster", "command.config", "slices", "timeout"}


def register(spark: SparkSession) -> None:
    """Make the format known to a session."""
    spark.dataSource.register(KafkaDataSource)


class KafkaDataSource(DataSource):
    """The topics of live clusters, with the columns of `TOPIC` and of `PARTITION`."""

    @classmethod
    def name(cls) -> str:
        """The format's name."""
        return "warden_kafka"

    def schema(self) -> StructType:
        """The columns, in the order of a snapshot's."""
        return StructType([*TOPIC.fields, *PARTITION.fields])

    def reader(self, schema: StructType) -> DataSourceReader:
        """Return the reader; options that are wrong are refused here.

        Raises:
            ConfigurationError: An option is unknown, missing or wrong.
        """
        # Spark gives options in whatever case.
        if unknown := sorted({name.lower() for name in self.options} - _OPTIONS):
            raise ConfigurationError(f"option {unknown[0]} is not known: use {', '.join(sorted(_OPTIONS))}")
        return _Reader(
            _clusters(self.options), _number(self.options, "slices", 1), _number(self.options, "timeout", 15)
        )


@dataclass
class _Slice(InputPartition):
    """Every ``of``-th topic of a cluster, from ``index`` on."""

    cluster: ListedCluster
    index: int
    of: int


class _Reader(DataSourceReader):
    def __init__(self, clusters: list[ListedCluster], slices: int, timeout: float) -> None:
        self._clusters, self._slices, self._timeout = clusters, slices, timeout

    def partitions(self) -> list[InputPartition]:
        return [_Slice(cluster, index, self._slices) for cluster in self._clusters for index in range(self._slices)]

    def read(self, partition: InputPartition) -> Iterator[tuple[Any, ...]]:
        from datetime import UTC, datetime

        from warden.errors import KafkaError
        from warden.kafka.connection import NotAvailable, connect
        from warden.kafka.topics import read_reassignments, read_topic_configs, read_topics

        if not isinstance(partition, _Slice):
            raise TypeError(partition)
        missing: list[str] = []
        cluster, day = partition.cluster, datetime.now(UTC).date()
        with connect(cluster.bootstrap_servers, security=cluster.security(), timeout=self._timeout) as connection:
            try:
                every = read_topics(connection, missing)
                mine = dict(list(every.items())[partition.index :: partition.of])
                read_topic_configs(connection, mine, missing, lambda _: None)
                read_reassignments(connection, None, mine)
            except NotAvailable as refused:
                raise KafkaError(f"cluster {cluster.name} does not tell its topics: {refused}") from refused
        if missing:  # a row without its configs would be judged as if it had none
            raise KafkaError(
                f"cluster {cluster.name} does not tell all: {missing[0]}: let this principal DESCRIBE_CONFIGS"
            )
        for name, topic in mine.items():
            yield (name, *(topic[field] for field in TOPIC.names[1:]), day, cluster.name)


def _clusters(options: Any) -> list[ListedCluster]:
    listed, servers, name = options.get("clusters"), options.get("bootstrap.servers"), options.get("cluster")
    if listed and not servers:
        return read_clusters(Path(listed))
    if servers and name and not listed:
        config = options.get("command.config")
        return [ListedCluster(name, servers, Path(config) if config else None)]
    raise ConfigurationError("give either the option clusters, or bootstrap.servers and cluster (its name)")


def _number(options: Any, name: str, default: int) -> int:
    given = options.get(name, str(default))
    if not given.isdigit() or int(given) < 1:
        raise ConfigurationError(f"option {name} is {given!r}: give a whole number from 1 on")
    return int(given)
