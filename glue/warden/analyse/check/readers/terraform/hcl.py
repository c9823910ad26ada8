"""Terraform's and OpenTofu's configurations (``.tf``, ``.tofu``) without a plan: what their resources declare.

A resource is read as a plan's that creates it, by the same readers. What its files do not say plainly is unknown, as
what a plan knows only after apply is. Modules, data sources and providers are not evaluated.
"""

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from warden.analyse.check.model import Declaration, Fault, Found, Remark, SkippedDocument, UnusableDeclaration
from warden.analyse.check.readers.aiven import AIVEN_RATES
from warden.analyse.check.readers.quotas import QUOTA_KEYS
from warden.analyse.check.readers.terraform.instances import Instance, iter_instances, list_lines
from warden.analyse.check.readers.terraform.module import Siblings, is_override, read_scope
from warden.analyse.check.readers.terraform.planned_change import PlannedChange
from warden.analyse.check.readers.terraform.resources import READERS, TOPIC_RESOURCES, is_about_kafka
from warden.analyse.check.readers.terraform.syntax import Block, parse_hcl
from warden.analyse.check.readers.terraform.values import Scope
from warden.analyse.check.readers.topic_formats import HCL

__all__ = ["iter_hcl"]

_MAY_MATTER: Final = re.compile(rb"kafka|confluent|msk|redpanda|conduktor|module|\\", re.IGNORECASE)
_WHEN: Final = "does not show in the files: write it there, or check the plan (terraform show -json)"
_LEFT: Final = "HCL is left to people"


def iter_hcl(content: bytes, path: Path, siblings: Siblings, planned: Container[str] = ()) -> Iterator[Found]:
    """Yield what a file's resources declare, and what is wrong with it.

    Args:
        content: The file.
        path: Its name.
        siblings: Returns the files of its directory, which say what variables and locals are.
        planned: Addresses of resources and modules of which a plan says more: they are passed over.
    """
    if not _MAY_MATTER.search(content):
        return
    file = str(path)
    try:
        blocks = parse_hcl(content).blocks
        scope = read_scope(siblings, path.parent)
    except UnusableDeclaration as why:
        yield Fault(file, why.line, str(why))
        return
    for block in blocks:
        address = ".".join(block.labels)
        if (f"module.{address}" if block.kind == "module" else address) in planned:
            yield SkippedDocument(file, block.line, f"{address}, of which a plan says more", is_known=True)
        elif block.kind == "module":
            said = f"module {address}: what it makes is not read here: check the plan, or the module's own directory"
            yield Remark(file, block.line, said)
        elif block.kind == "resource" and len(block.labels) == 2 and is_about_kafka(block.labels[0]):
            yield from _iter_resource(block, address, file, scope)


def _iter_resource(block: Block, address: str, file: str, scope: Scope) -> Iterator[Found]:
    try:
        if block.labels[0] not in READERS:
            raise UnusableDeclaration(block.line, f"there is no reader for {block.labels[0]}: it is not evaluated")
        if is_override(Path(file).name):
            raise UnusableDeclaration(
                block.line, "it is laid over another one, which is not read: check the plan (terraform show -json)"
            )
        instances = list(iter_instances(block, scope))
        lines = list_lines(block, scope)
    except UnusableDeclaration as why:
        yield Fault(file, why.line, f"{address}: {why}")
        return
    except RecursionError:
        yield Fault(
            file,
            block.line,
            f"{address}: what it refers to is nested too deeply: check the plan (terraform show -json)",
        )
        return
    if not instances:
        yield SkippedDocument(file, block.line, f"{address}, of which there is none", is_known=True)
    for instance in instances:
        yield from _iter_instance(block, f"{address}{instance.key}", instance, file, lines)


def _iter_instance(
    block: Block, address: str, instance: Instance, file: str, lines: Mapping[str, int]
) -> Iterator[Found]:
    type = block.labels[0]
    before = _find_removable(type, instance.values)
    change = PlannedChange(file, block.line, address, before, instance.values, instance.unknown, _WHEN)
    topic = TOPIC_RESOURCES.get(type)
    own: dict[str, Any] = {"format": HCL, "unfixable": _LEFT}
    if topic is not None:
        own |= {"lines": topic.locate(lines), "unlisted_configs": "keep" if topic.shape == "block" else "reset"}
    try:
        read = READERS[type]("create", change)
        items = [] if read is None else [read] if isinstance(read, Declaration) else list(read)
    except UnusableDeclaration as why:
        yield Fault(file, block.line, f"{address}: {why}")
        return
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as why:
        said = f"not as its provider takes it ({_describe(why)}): let terraform validate say what is wrong"
        yield Fault(file, block.line, f"{address}: {said}")
        return
    yield from (replace(item, **own) if isinstance(item, Declaration) else item for item in items)


def _find_removable(type: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """What may be there and goes where it is not written: the keys of a quota."""
    if type == "aiven_kafka_quota":
        return dict.fromkeys(AIVEN_RATES, 0)
    if type == "kafka_quota" and values.get("entity_type") != "ip":
        return {"config": dict.fromkeys(QUOTA_KEYS)}
    return {}


def _describe(why: Exception) -> str:
    """A mistake's kind, and of a field that is missing its name; never a value."""
    return f"{why.args[0]} is missing" if isinstance(why, KeyError) else why.__class__.__name__
