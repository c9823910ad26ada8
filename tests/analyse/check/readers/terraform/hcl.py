"""Terraform's HCL as tests write it."""

import json
from typing import Any

ACL = {
    "resource_type": "Topic",
    "resource_name": "a",
    "acl_principal": "User:a",
    "acl_operation": "Read",
    "acl_permission_type": "Allow",
}
"""Of Mongey's provider."""
_BLOCKS = {"throughput"}
"""Attributes that are blocks in the text."""


def write_resource(type: str, values: dict[str, Any]) -> str:
    """A resource as text; JSON's values are HCL's too."""
    lines = [f'resource "{type}" "t" {{']
    for name, value in values.items():
        if name in _BLOCKS:
            lines += [f"  {name} {{", *(f"    {key} = {json.dumps(each)}" for key, each in value[0].items()), "  }"]
        else:
            lines.append(f"  {name} = {json.dumps(value)}")
    return "\n".join([*lines, "}", ""])


def topic(more: str = "", **values: str) -> str:
    """A topic with expressions as they are given."""
    given = {"name": '"shop.a"', "partitions": "3", "replication_factor": "3", **values}
    lines = "".join(f"  {name} = {value}\n" for name, value in given.items())
    return f'resource "kafka_topic" "t" {{\n{lines}{more}}}\n'
