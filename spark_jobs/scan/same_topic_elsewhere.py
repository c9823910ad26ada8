"""Topics of the same name in other clusters, for rules that look them up (`Dependencies.topic`).

Their JSON is put together from texts: structs with maps in them cannot be sorted, and a map of clusters fails where a
cluster has a name twice, which a scan has to survive.
"""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.frames import make_frame
from spark_jobs.common.schemas import PARTITION, TOPIC
from warden.analyse.scan.plan import PreparedScan

__all__ = ["SAME_TOPIC_ELSEWHERE", "add_same_topic_elsewhere"]

SAME_TOPIC_ELSEWHERE = "_same_topic_elsewhere"
"""The column that `add_same_topic_elsewhere` adds: ``clusters`` of the decision input, as JSON text."""

_WITH_NULLS = {"ignoreNullFields": "false"}


def add_same_topic_elsewhere(
    spark: SparkSession, topics: DataFrame, all_topics: DataFrame, prepared: PreparedScan
) -> DataFrame:
    """Add to each topic the topics of its name in all clusters, where decisions depend on them.

    Args:
        spark: A session.
        topics: Columns of `TOPIC` and `PARTITION`, and others.
        all_topics: The same of every topic of the run, whatever is evaluated of them.
        prepared: The run.
    """
    seen = [
        (scanned.partition.day, scanned.partition.cluster, partition.day, partition.cluster)
        for scanned in prepared.scanned
        for partition in scanned.clusters
    ]
    if not seen:
        return topics
    others = [T.StructField(f"_{field.name}", field.dataType) for field in PARTITION.fields]
    views = make_frame(spark, seen, T.StructType([*PARTITION.fields, *others]))
    state = F.struct(*[F.col(name) for name in TOPIC.names if name != "topic"])
    cluster = F.create_map("cluster", F.struct(F.create_map("topic", state).alias("topics")))
    text = F.to_json(cluster, _WITH_NULLS)
    entry = F.substring(text, F.lit(2), F.length(text) - F.lit(2))  # without the braces of its object
    entries = all_topics.select(
        F.col("day").alias("_day"), F.col("cluster").alias("_cluster"), F.col("topic"), entry.alias("_entry")
    )
    joined = entries.join(F.broadcast(views), ["_day", "_cluster"], how="inner")
    listed = F.concat(F.lit("{"), F.concat_ws(",", F.sort_array(F.collect_list("_entry"))), F.lit("}"))
    elsewhere = joined.groupBy(*PARTITION.names, "topic").agg(listed.alias(SAME_TOPIC_ELSEWHERE))
    return topics.join(elsewhere, [*PARTITION.names, "topic"], how="left")
