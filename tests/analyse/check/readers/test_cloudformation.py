"""Topics of MSK in CloudFormation's templates."""

import base64
import json
from pathlib import Path

import pytest

from tests.analyse.check.conftest import Read
from warden.analyse.check.fix.choose_patches import ProposedWrite
from warden.analyse.check.fix.patch_files import fix_files
from warden.analyse.check.model import FileContents
from warden.analyse.check.revisions.changes import select_changes
from warden.analyse.check.revisions.commits import Revisions

TEMPLATE = """\
Parameters:
  Partitions: {Type: Number}
Resources:
  Cluster:
    Type: AWS::MSK::ServerlessCluster
    Properties: {ClusterName: !Sub "${AWS::StackName}-c"}
  Orders:
    Type: AWS::MSK::Topic
    DeletionPolicy: Delete
    Properties:
      ClusterArn: !Ref Cluster
      TopicName: shop.orders
      PartitionCount: 12
      ReplicationFactor: 3
      Configs: CONFIGS
"""
JSON_TEXT = '{"retention.ms": "1000", "preallocate": true}'
CONFIGS = {"retention.ms": "1000", "preallocate": "true"}


@pytest.mark.parametrize(
    "configs",
    [
        base64.b64encode(JSON_TEXT.encode()).decode(),
        f"!Base64 '{JSON_TEXT}'",
        f"{{Fn::Base64: '{JSON_TEXT}'}}",
    ],
)
def test_a_template(read: Read, configs: str) -> None:
    """The topic, however its configs are encoded; what else is in a template is passed over."""
    contents = read(TEMPLATE.replace("CONFIGS", configs))
    (topic,) = contents.declared

    assert ([], []) == (contents.faults, contents.remarks)
    assert {
        "topic": "shop.orders",
        "numPartitions": 12,
        "replicationFactor": 3,
        "configs": CONFIGS,
    } == topic.request
    assert ("cloudformation", "Orders", (), [13, 15]) == (
        topic.format,
        topic.address,
        topic.unknown,
        [topic.find_line(path) for path in (["numPartitions"], ["configs", "retention.ms"])],
    )


def test_json(read: Read) -> None:
    """The same in JSON, without configs."""
    properties = {"ClusterArn": "c", "TopicName": "t", "PartitionCount": 3, "ReplicationFactor": 2}
    template = {"Resources": {"T": {"Type": "AWS::MSK::Topic", "Properties": properties}}}
    (topic,) = read(json.dumps(template), "template.json").declared

    assert {"topic": "t", "numPartitions": 3, "replicationFactor": 2, "configs": {}} == topic.request


@pytest.mark.parametrize(
    ("old", "new", "unknown"),
    [
        ("PartitionCount: 12", "PartitionCount: !Ref Partitions", "numPartitions"),
        ("ReplicationFactor: 3", "ReplicationFactor: {Ref: Partitions}", "replicationFactor"),
        ("CONFIGS", "!Ref Partitions", "configs"),
        ("CONFIGS", "{Fn::Base64: !Sub '{}'}", "configs"),
        ("CONFIGS", "{Fn::Sub: x}", "configs"),
        ("CONFIGS", "!Base64 {Ref: Partitions}", "configs"),
    ],
)
def test_what_the_deployment_says(read: Read, old: str, new: str, unknown: str) -> None:
    """It is unknown."""
    (topic,) = read(TEMPLATE.replace(old, new).replace("CONFIGS", "!Base64 '{}'")).declared

    assert (f"/request/{unknown}",) == topic.unknown


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("shop.orders", "!Ref Name", 12, "TopicName is known only once it is deployed: it is not evaluated"),
        ("      TopicName: shop.orders\n", "", 7, "TopicName is missing: write it"),
        ("      PartitionCount: 12\n", "", 7, "PartitionCount is missing: write it"),
        ("CONFIGS", "not base64", 15, "Configs is not Base64"),
        ("CONFIGS", "!Base64 '[1]'", 15, "Configs is not an object of JSON"),
        pytest.param("CONFIGS", f"!Base64 '{'[' * 90_000}'", 15, "Configs is not an object of JSON", id="too deep"),
        ("PartitionCount: 12", "PartitionCount: many", 13, "PartitionCount many is not a whole number"),
    ],
)
def test_what_cannot_be_read(read: Read, old: str, new: str, line: int, said: str) -> None:
    """An error with its line."""
    contents = read(TEMPLATE.replace(old, new).replace("CONFIGS", "!Base64 '{}'"))

    assert [] == contents.declared
    assert [(line, True)] == [(fault.line, fault.message.startswith(said)) for fault in contents.faults]


def test_a_property_that_is_none(read: Read) -> None:
    """It is named, with the nearest."""
    contents = read(TEMPLATE.replace("ClusterArn", "ClusterArm").replace("CONFIGS", "!Base64 '{}'"))

    assert ["did you mean ClusterArn?"] == [remark.message.rpartition(": ")[2] for remark in contents.remarks]


@pytest.mark.parametrize(("policy", "operations"), [("Delete", ["DeleteTopic"]), ("Retain", [])])
def test_a_topic_that_is_declared_no_more(read: Read, policy: str, operations: list[str]) -> None:
    """It is deleted, unless the template keeps it."""
    text = TEMPLATE.replace("DeletionPolicy: Delete", f"DeletionPolicy: {policy}").replace("CONFIGS", "!Base64 '{}'")
    nothing = FileContents()
    gone = select_changes(Revisions(nothing, read(text), nothing, frozenset()), cluster_is_known=False)

    assert operations == [one.operation for one in gone.declared]


def test_fixes(read: Read) -> None:
    """A number is written, and what stands in Base64 is left."""
    (topic,) = read(TEMPLATE.replace("CONFIGS", f"!Base64 '{JSON_TEXT}'")).declared
    fixes = fix_files(
        [
            ProposedWrite(topic, {"op": "replace", "path": "/numPartitions", "value": 6}, "KFK-SIZ-001"),
            ProposedWrite(topic, {"op": "replace", "path": "/configs/retention.ms", "value": "5000"}, "KFK-RET-001"),
        ]
    )

    assert (1, 1) == (len(fixes.written), len(fixes.left))
    assert "PartitionCount: 6\n" in Path("f.yaml").read_text()
    assert JSON_TEXT in Path("f.yaml").read_text()


def test_tags_elsewhere(read: Read) -> None:
    """A file that is no template has none of its own."""
    contents = read("topic: a\nnumPartitions: !Ref P\n")

    assert "could not determine a constructor for the tag" in contents.faults[0].message
    beside = read("# AWS::MSK::Topic\ntopic: a\nnumPartitions: !Ref 3\n")
    assert "numPartitions 3 is not a whole number" in beside.faults[0].message
