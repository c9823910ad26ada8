"""Terraform's HCL without a plan: what resources declare, and what their files do not say."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.analyse.check.conftest import Check, Read
from tests.analyse.check.readers.terraform.hcl import topic, write_resource
from tests.analyse.check.readers.terraform.test_plan_actions import COLUMNS
from tests.analyse.check.readers.terraform.test_terraform import TOPIC, plan, resource
from tests.analyse.check.readers.test_intentions import describe, read_table
from warden.analyse.check.files import iter_content_declarations, read_paths
from warden.analyse.check.model import Declaration, FileContents
from warden.analyse.check.readers.terraform.resources import READERS
from warden.analyse.check.revisions.changes import select_changes
from warden.analyse.check.revisions.commits import Revisions

_CASES = [(column, type, values) for column, kinds in COLUMNS.items() for type, values in kinds.items()]


def test_a_topic(read: Read) -> None:
    """Each value with its line."""
    text = """
# the topic
resource "kafka_topic" "orders" {
  name               = "shop.orders" // its name
  partitions         = 6
  replication_factor = 3
  config = {
    "retention.ms" = 1000,
    cleanup        = "a"
    /* is */ preallocate : true
  }
  lifecycle {
    prevent_destroy = true
  }
}
"""
    (one,) = read(text, "main.tf").declared

    configs = {"retention.ms": "1000", "cleanup": "a", "preallocate": "true"}
    assert {"topic": "shop.orders", "numPartitions": 6, "replicationFactor": 3, "configs": configs} == one.request
    assert ("CreateTopic", "main.tf", 3, "kafka_topic.orders", ()) == (
        one.operation,
        one.file,
        one.line,
        one.address,
        one.unknown,
    )
    lines = {"topic": 4, "numPartitions": 5, "replicationFactor": 6, "configs": 7}
    assert {**lines, "configs/retention.ms": 8, "configs/cleanup": 9, "configs/preallocate": 10} == one.lines


def test_every_resource_is_here() -> None:
    """Those of plans."""
    assert READERS.keys() == {type for _, type, _ in _CASES}


@pytest.mark.parametrize(("column", "type", "values"), _CASES, ids=[type for _, type, _ in _CASES])
def test_as_a_plan(read: Read, column: str, type: str, values: dict[str, Any]) -> None:
    """A resource is read as a plan's that creates it; of a quota what is left out goes; gone, it is removed."""
    planned = read(plan(resource(["create"], after=values, type=type)), "plan.json").declared
    written = read(write_resource(type, values), "main.tofu")

    def requests(declared: list[Any]) -> list[tuple[str, Any, Any]]:
        kept = [{**one.request, "ops": [op for op in one.request.get("ops", []) if "value" in op]} for one in declared]
        return [(one.operation, request, one.unknown) for one, request in zip(declared, kept, strict=True)]

    assert requests(planned) == requests(written.declared) != []
    assert [] == written.faults
    nothing = FileContents()
    gone = select_changes(Revisions(nothing, written, nothing, frozenset()), cluster_is_known=False)
    row = next(row for row in read_table("| form | marked as going").items() if row[0] == _ROWS[column])
    assert row[1][2] == describe(gone)


_ROWS = {
    "topic": "Terraform's HCL: topics",
    "acl": "Terraform's HCL: ACLs, role bindings",
    "quota": "Terraform's HCL: quotas",
    "credential": "Terraform's HCL: SCRAM credentials",
}
"""Kind of resource → its row on the page."""


def test_what_is_not_known(read: Read) -> None:
    """It is listed, whole or by key, and never taken for what is not set."""
    values = {"partitions": "var.p", "replication_factor": "var.r", "config": "{ a = var.x, b = 1 }"}
    (one,) = read(topic(**values), "main.tf").declared
    pointers = ("/request/numPartitions", "/request/replicationFactor", "/request/configs/a")
    assert (pointers, {"b": "1"}) == (one.unknown, one.request["configs"])
    (one,) = read(topic(config="{ (var.x) = 1 }"), "main.tf").declared
    assert ("/request/configs",) == one.unknown
    aiven = {"topic_name": "a", "partitions": 1, "replication": 3}
    text = write_resource("aiven_kafka_topic", aiven)[:-2]
    dynamic = 'dynamic "{}" {{\n for_each = []\n content {{}}\n }}\n'
    (one,) = read(f"{text}{dynamic.format('tag')}{dynamic.format('config')}}}\n", "main.tf").declared
    assert ("/request/labels", "/request/configs") == one.unknown
    (one,) = read(f"{text}config {{\n retention_ms = var.x\n segment_ms = 1\n}}\n}}\n", "main.tf").declared
    assert (("/request/configs/retention.ms",), {"segment.ms": "1"}) == (one.unknown, one.request["configs"])
    assert ({"configs": 5, "configs/retention.ms": 6, "configs/segment.ms": 7}, "keep") == (
        {path: line for path, line in one.lines.items() if path.startswith("configs")},
        one.unlisted_configs,
    )


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ({"count": "2", "name": '"a.${count.index}"'}, [("a.0", "[0]"), ("a.1", "[1]")]),
        ({"count": "0"}, []),
        ({"count": "var.n"}, [("shop.a", "[…]")]),
        ({"for_each": 'toset(["x", "y", "x"])', "name": "each.value"}, [("x", '["x"]'), ("y", '["y"]')]),
        ({"for_each": "{ x = { n = 4 } }", "name": "each.key", "partitions": "each.value.n"}, [("x", '["x"]')]),
        ({"for_each": "{}"}, []),
        ({"for_each": "var.m"}, [("shop.a", "[…]")]),
    ],
)
def test_instances(read: Read, more: dict[str, str], wanted: list[tuple[str, str]]) -> None:
    """Each is a declaration; where nobody knows how many there are, it is one; where there is none, that is said."""
    contents = read(topic(**more), "main.tf")

    assert [(name, f"kafka_topic.t{key}") for name, key in wanted] == [
        (one.name, one.address) for one in contents.declared
    ]
    assert bool(wanted) != bool(contents.skipped and contents.skipped[0].is_known)
    if more.get("partitions"):
        assert [4] == [one.request["numPartitions"] for one in contents.declared]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (topic(name="var.n"), 1, "kafka_topic.t: the topic's name does not show in the files"),
        (topic(for_each="var.m", name="each.key"), 1, "kafka_topic.t[…]: the topic's name does not show"),
        (
            '\nresource "kafka_topic" "t" {\n partitions = 1\n}',
            2,
            "kafka_topic.t: not as its provider takes it (name is m",
        ),
        (topic(partitions='"x"'), 1, "partitions is not a whole number: write its digits"),
        (topic(partitions="6.5"), 1, "partitions is not a whole number: write its digits"),
        (topic(name="7"), 1, "name is not a string, or is empty: write a string"),
        (topic(config="{ a = [1] }"), 1, "kafka_topic.t: a is a list or an object: write a string"),
        (topic(count="20000"), 1, "more than 10000 of one resource are not read"),
        (topic("  name = 1\n"), 5, "name is named twice: keep one of the two"),
        ('resource "conduktor_console_topic_v2" "t" {}', 1, "there is no reader for conduktor_console_topic_v2"),
        ("# kafka\nresource {", 2, "this cannot be read as HCL"),
        ('# kafka\nx = ="', 2, "this cannot be read as HCL"),
        ('# kafka\nx = "\xff"'.encode("latin-1"), 2, "this is not UTF-8"),
        (topic(name="(" * 3000 + '"a"' + ")" * 3000), 1, "nested too deeply"),
        (
            write_resource("kafka_quota", {"entity_type": "group", "config": {}}),
            1,
            "unknown entity_type group: write one of user, client-id, ip",
        ),
        (
            write_resource("kafka_acl", COLUMNS["acl"]["kafka_acl"]).replace('"User:a"', "var.who"),
            1,
            "acl_principal does not show in the files",
        ),
    ],
)
def test_what_cannot_be_evaluated(read: Read, text: str | bytes, line: int, said: str) -> None:
    """An error with its line, never a guess."""
    contents = read(text, "main.tf")

    assert ([], line) == (contents.declared, contents.faults[0].line)
    assert said in contents.faults[0].message


def test_overrides(read: Read) -> None:
    """What is laid over another resource is not read as one."""
    assert "it is laid over another one" in read(topic(), "override.tf").faults[0].message


def test_modules_and_others(read: Read) -> None:
    """A module is a warning; data, providers and resources of others are nobody's matter."""
    text = 'module "topics" {\n  source = "./topics"\n}\ndata "kafka_topic" "d" {\n  name = "a"\n}\n'
    contents = read(f'{text}resource "aws_s3_bucket" "b" {{}}\n', "main.tf")

    assert ([], [], []) == (contents.declared, contents.faults, contents.skipped)
    assert ["module topics: what it makes is not read here"] == [
        each.message.partition(": check")[0] for each in contents.remarks
    ]
    assert contents.is_empty


def test_json(read: Read) -> None:
    """Terraform's JSON has no reader: an error where it is about Kafka."""
    text = json.dumps({"resource": {"kafka_topic": {"t": {"name": "a"}}}})
    assert "resources in Terraform's JSON are not read" in read(text, "main.tf.json").faults[0].message
    assert [] == read(json.dumps({"resource": {"aws_s3_bucket": {}}}), "main.tf.json").faults


def test_beside_a_plan(read: Read) -> None:
    """What a plan keeps in its own module is passed over in HCL beside it: nothing else, and nowhere else."""
    Path("d", "other").mkdir(parents=True)
    calls = 'module "kept" {}\nmodule "other" {}\n'
    read(topic() + topic(name='"shop.b"').replace('"t"', '"u"') + calls, "d/main.tf")
    read(topic(name='"shop.c"'), "d/other/main.tf")
    own = resource(["create"], after={**TOPIC, "name": "shop.a"}, address="kafka_topic.t")
    read(plan(own, resource(["create"], after=TOPIC, address="module.kept.kafka_topic.t")), "d/plan.json")
    contents = read_paths([Path("d")])

    assert ["shop.b", "shop.c", "shop.a", "shop.orders"] == [one.name for one in contents.declared]
    assert [
        ("d/main.tf", "kafka_topic.t, of which a plan says more"),
        ("d/main.tf", "kept, of which a plan says more"),
    ] == [(one.file, one.kind) for one in contents.skipped]
    assert ["module other: what"] == [one.message[:18] for one in contents.remarks]
    assert ["shop.a", "shop.b"] == [one.name for one in read_paths([Path("d/main.tf")]).declared]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        plan(),
        plan(resource(["create"], after=TOPIC)),
        plan(resource(["create"], after=TOPIC, address="kafka_topic.t", name="u")),
        plan(resource(["delete"], TOPIC, address="kafka_topic.t")),
        plan(resource(["create"], after=TOPIC, address="kafka_topic.t"), errored=True),
    ],
    ids=["broken", "empty", "of a module", "of another name", "that it deletes", "with an error"],
)
def test_beside_a_plan_that_does_not_keep_it(read: Read, text: str) -> None:
    """A plan that says nothing of a resource switches nothing off."""
    Path("d").mkdir()
    read(topic(), "d/main.tf")
    read(text, "d/plan.json")

    assert "shop.a" in [one.name for one in read_paths([Path("d")]).declared]


def test_what_names_mean_is_found_once_for_a_directory() -> None:
    """However many files it has: each serves the others, and another run looks anew."""
    files = {f"{i}.tf": f"locals {{ n{i} = {i} }}\n{topic(partitions=f'local.n{9 - i}')}".encode() for i in range(10)}
    looked = []

    def siblings(directory: Path) -> dict[str, bytes]:
        looked.append(directory)
        return files

    found = [
        one for name in files for one in iter_content_declarations(files[name], Path("d", name), siblings=siblings)
    ]
    assert list(range(9, -1, -1)) == [one.request["numPartitions"] for one in found if isinstance(one, Declaration)]
    assert [Path("d")] == looked


def test_secrets_stay_where_they_are(read: Read) -> None:
    """Nothing of a resource is taken but the fields that are listed."""
    values = {"username": "a", "scram_mechanism": "SCRAM-SHA-512", "password": "hunter2"}
    contents = read(write_resource("kafka_user_scram_credential", values), "main.tf")

    assert (["AlterScram"], False) == ([one.operation for one in contents.declared], "hunter2" in repr(contents))


@pytest.mark.opa
def test_decisions(check: Check) -> None:
    """With the line of the value; what is not known is a warning, or denied; ``--fix`` leaves the file alone."""
    Path("main.tf").write_text(topic(config='{\n    "retention.ms" = 10\n  }', partitions="var.p"))
    result = check("main.tf", "--fix")

    assert "main.tf:6  deny   KFK-RET-001  shop.a: retention.ms 10 is below" in result.output
    assert "known only to a plan: numPartitions" in result.output
    assert "not fixed main.tf: shop.a: configs/retention.ms is 1000: HCL is left to people" in result.output
    assert 1 == result.return_value
    Path("main.tf").write_text(topic(partitions="var.p", name='"shop.orders.a"'))
    assert (0, 1) == (check("main.tf").return_value, check("main.tf", "--unknown", "deny").return_value)
