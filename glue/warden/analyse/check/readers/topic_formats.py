"""Formats in which a topic is a document with a place for each field: one row a format.

Facts are from each tool's source or CRD; docs/reference/check.md lists them for readers.
"""

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "AIVEN",
    "CONFLUENT",
    "CROSSPLANE",
    "FORMATS_WITHOUT_DELETION",
    "HCL",
    "LIST_KINDS",
    "PLAN",
    "REDPANDA",
    "STRIMZI",
    "TOPIC_FORMATS",
    "TopicFormat",
]

STRIMZI = r"kafka\.strimzi\.io/(v1|v1beta2|v1beta1|v1alpha1)"
"""``apiVersion`` of Strimzi's topics and users."""
CONFLUENT = r"(apps\.cpc\.)?platform\.confluent\.io/.+"
"""``apiVersion`` of what Confluent for Kubernetes carries out, also in its blueprints."""
AIVEN = r"aiven\.io/.+"
"""``apiVersion`` of what Aiven's operator carries out."""
REDPANDA = r"cluster\.redpanda\.com/.+"
"""``apiVersion`` of what Redpanda's operator carries out."""
PLAN = "terraform"
"""Id of what Terraform's plan says."""
HCL = "hcl"
"""Id of what Terraform's configuration says."""
CROSSPLANE = r"(acl|topic)\.kafka(\.m)?\.crossplane\.io/.+"
"""``apiVersion`` of Crossplane's topics and ACLs, of a cluster and of a namespace."""


@dataclass(frozen=True, kw_only=True)
class TopicFormat:
    """Where a format keeps what of a topic. Paths have blanks between their keys.

    Args:
        id: Its name in reports.
        group: Regular expression of ``apiVersion``, all of it; empty for a format without ``kind``.
        kind: Of the document.
        name: Paths of the name, the first that is there.
        partitions, replicas, configs, labels: Paths.
        absent_number: What a number that is left out means: -1 for the broker's default, None where it must be there.
        unlisted_configs: What the tool does with a topic's overrides that the file does not list.
        cluster: Path of the cluster's name; empty where files do not name it.
        retention_minutes_path: Path of retention in minutes, which becomes ``retention.ms``; empty for none.
        joins_lists: Whether a list as a config's value is joined by commas.
        unmanaged_annotation: An annotation, and its value, with which nobody manages the topic.
        config_refs_path: Path of references to configs in other documents, which are not read.
        tags_path: Path of a list of ``key`` and ``value`` that are labels as well; empty for none.
        has_snake_configs: Whether configs are fields with ``_`` in place of dots.
        untouched_configs: Overrides that stay although the file does not list them.
        may_skip_configs: Whether a config without a value is one that the tool leaves as it is.
    """

    id: str
    group: str
    kind: str
    name: tuple[str, ...]
    partitions: str
    replicas: str
    configs: str
    unlisted_configs: Literal["reset", "keep"]
    labels: str = "metadata labels"
    absent_number: int | None = -1
    cluster: str = ""
    retention_minutes_path: str = ""
    joins_lists: bool = False
    unmanaged_annotation: tuple[str, str] = ("", "")
    config_refs_path: str = ""
    tags_path: str = ""
    has_snake_configs: bool = False
    untouched_configs: tuple[str, ...] = ()
    may_skip_configs: bool = False


TOPIC_FORMATS = (
    TopicFormat(
        id="strimzi",
        group=STRIMZI,
        kind="KafkaTopic",
        name=("spec topicName", "metadata name"),
        partitions="spec partitions",
        replicas="spec replicas",
        configs="spec config",
        unlisted_configs="reset",
        cluster="metadata labels strimzi.io/cluster",
        joins_lists=True,
        unmanaged_annotation=("metadata annotations strimzi.io/managed", "false"),
    ),
    TopicFormat(
        id="cfk",
        group=r"platform\.confluent\.io/.+",
        kind="KafkaTopic",
        name=("spec name", "metadata name"),
        partitions="spec partitionCount",
        replicas="spec replicas",
        configs="spec configs",
        unlisted_configs="keep",
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
        unlisted_configs="reset",
        config_refs_path="spec configMapRefs",
    ),
    TopicFormat(
        id="ns4kafka",
        group="v1",
        kind="Topic",
        name=("metadata name",),
        partitions="spec partitions",
        replicas="spec replicationFactor",
        configs="spec configs",
        unlisted_configs="reset",
        absent_number=None,
        cluster="metadata cluster",
    ),
    TopicFormat(
        id="aiven",
        group=AIVEN,
        kind="KafkaTopic",
        name=("spec topicName", "metadata name"),
        partitions="spec partitions",
        replicas="spec replication",
        configs="spec config",
        unlisted_configs="keep",
        absent_number=None,
        cluster="spec serviceName",
        tags_path="spec tags",
        has_snake_configs=True,
    ),
    TopicFormat(
        id="redpanda",
        group=REDPANDA,
        kind="Topic",
        name=("spec overwriteTopicName", "metadata name"),
        partitions="spec partitions",
        replicas="spec replicationFactor",
        configs="spec additionalConfig",
        unlisted_configs="reset",
        cluster="spec cluster clusterRef name",
        untouched_configs=("cleanup.policy", "redpanda.storage.mode"),
        may_skip_configs=True,
    ),
    TopicFormat(
        id="crossplane",
        group=r"topic\.kafka(\.m)?\.crossplane\.io/.+",
        kind="Topic",
        name=("metadata annotations crossplane.io/external-name", "metadata name"),
        partitions="spec forProvider partitions",
        replicas="spec forProvider replicationFactor",
        configs="spec forProvider config",
        unlisted_configs="keep",
        absent_number=None,
        cluster="spec providerConfigRef name",
    ),
    TopicFormat(
        id="topicctl",
        group="",
        kind="",
        name=("meta name",),
        partitions="spec partitions",
        replicas="spec replicationFactor",
        configs="spec settings",
        unlisted_configs="keep",
        labels="meta labels",
        absent_number=None,
        cluster="meta cluster",
        retention_minutes_path="spec retentionMinutes",
        joins_lists=True,
    ),
)
"""The rows; which one a document is read by shows in its content."""

LIST_KINDS = {
    f"{kind}List": kind
    for kind in (
        *("KafkaTopic", "KafkaUser", "KafkaClientQuota", "KafkaACL", "KafkaNativeACL", "KafkaQuota"),
        *("Topic", "AccessControlList", "AccessControlEntry", "RedpandaRole", "ConfluentRolebinding"),
    )
}
"""Kinds of lists whose items may leave out their own kind."""

FORMATS_WITHOUT_DELETION = frozenset({"jikkou", "julie", "ns4kafka", PLAN, "topicctl"})
"""Formats whose tools leave alone what files cease to declare; Terraform's plan says itself what it deletes."""
