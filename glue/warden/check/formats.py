"""Formats in which a topic is a document with a place for each field: one row a format.

Facts are from each tool's source or CRD; docs/reference/check.md lists them for readers.
"""

from dataclasses import dataclass
from typing import Literal

__all__ = ["KEEPING", "LISTS", "STRIMZI", "TOPICS", "TopicFormat"]

STRIMZI = r"kafka\.strimzi\.io/(v1|v1beta2|v1beta1|v1alpha1)"
"""``apiVersion`` of Strimzi's topics and users."""


@dataclass(frozen=True, kw_only=True)
class TopicFormat:
    """Where a format keeps what of a topic. Paths have blanks between their keys.

    Args:
        id: Its name in reports.
        group: Regular expression of ``apiVersion``, all of it; empty for a format without ``kind``.
        kind: Of the document.
        name: Paths of the name, the first that is there.
        partitions, replicas, configs, labels: Paths.
        absent: What a number that is left out means: -1 for the broker's default, None where it must be there.
        left_out: What the tool does with a topic's overrides that the file does not list.
        cluster: Path of the cluster's name; empty where files do not name it.
        minutes: Path of retention in minutes, which becomes ``retention.ms``; empty for none.
        joins_lists: Whether a list as a config's value is joined by commas.
        let_go: An annotation, and its value, with which nobody manages the topic.
        elsewhere: Path of references to configs in other documents, which are not read.
    """

    id: str
    group: str
    kind: str
    name: tuple[str, ...]
    partitions: str
    replicas: str
    configs: str
    left_out: Literal["reset", "keep"]
    labels: str = "metadata labels"
    absent: int | None = -1
    cluster: str = ""
    minutes: str = ""
    joins_lists: bool = False
    let_go: tuple[str, str] = ("", "")
    elsewhere: str = ""


TOPICS = (
    TopicFormat(
        id="strimzi",
        group=STRIMZI,
        kind="KafkaTopic",
        name=("spec topicName", "metadata name"),
        partitions="spec partitions",
        replicas="spec replicas",
        configs="spec config",
        left_out="reset",
        cluster="metadata labels strimzi.io/cluster",
        joins_lists=True,
        let_go=("metadata annotations strimzi.io/managed", "false"),
    ),
    TopicFormat(
        id="cfk",
        group=r"platform\.confluent\.io/.+",
        kind="KafkaTopic",
        name=("spec name", "metadata name"),
        partitions="spec partitionCount",
        replicas="spec replicas",
        configs="spec configs",
        left_out="keep",
        cluster="spec kafkaClusterRef name",
    ),
    TopicFormat(
        id="jikkou",
        group=r"kafka\.jikkou\.io/.+",
        kind="KafkaTopic",
        name=("metadata name",),
        partitions="spec partitions",
        replicas="spec replicas",
        configs="spec configs",
        left_out="reset",
        let_go=("metadata annotations jikkou.io/ignore", "true"),
        elsewhere="spec configMapRefs",
    ),
    TopicFormat(
        id="ns4kafka",
        group="v1",
        kind="Topic",
        name=("metadata name",),
        partitions="spec partitions",
        replicas="spec replicationFactor",
        configs="spec configs",
        left_out="reset",
        absent=None,
        cluster="metadata cluster",
    ),
    TopicFormat(
        id="topicctl",
        group="",
        kind="",
        name=("meta name",),
        partitions="spec partitions",
        replicas="spec replicationFactor",
        configs="spec settings",
        left_out="keep",
        labels="meta labels",
        absent=None,
        cluster="meta cluster",
        minutes="spec retentionMinutes",
        joins_lists=True,
    ),
)
"""The rows; which one a document is read by shows in its content."""

LISTS = {"KafkaTopicList": "KafkaTopic", "KafkaUserList": "KafkaUser", "KafkaClientQuotaList": "KafkaClientQuota"}
"""Kinds of lists whose items may leave out their own kind."""

KEEPING = frozenset({"jikkou", "julie", "ns4kafka", "terraform", "topicctl"})
"""Formats whose tools leave alone what files cease to declare; Terraform's plan says itself what it deletes."""
