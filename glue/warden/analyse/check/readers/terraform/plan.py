"""Terraform's and OpenTofu's plan as JSON (``terraform show -json FILE``): what it creates, changes and deletes.

The documented format: https://developer.hashicorp.com/terraform/internals/json-format. Only listed fields of a resource
are read, since ``before`` and ``after`` hold secrets in clear.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from warden.analyse.check.model import (
    Declaration,
    Fault,
    Found,
    SkippedDocument,
    UnchangedResource,
    UnusableDeclaration,
)
from warden.analyse.check.readers.terraform.planned_change import PlannedChange
from warden.analyse.check.readers.terraform.resources import READERS, is_about_kafka

__all__ = ["explain_plan_fault", "has_kafka_resources", "is_plan", "iter_planned_changes", "list_planned"]

_MODULE = re.compile(r"module\.[\w-]+")
_VERSION = re.compile(r"[01]\.\d+")


def is_plan(document: Any) -> bool:
    """Whether a JSON document is a plan, or a state, of Terraform's."""
    return (
        isinstance(document, dict)
        and "format_version" in document
        and bool(document.keys() & {"resource_changes", "planned_values", "values", "terraform_version"})
    )


def has_kafka_resources(document: Any) -> bool:
    """Whether a configuration in JSON has resources about what Warden decides.

    Args:
        document: The configuration.
    """
    resources = document.get("resource") if isinstance(document, dict) else None
    blocks = resources if isinstance(resources, list) else [resources]
    return any(is_about_kafka(type) for block in blocks if isinstance(block, dict) for type in block)


def list_planned(paths: Iterable[Path], largest: int) -> frozenset[str]:
    """Return the addresses of what the plans among a directory's files keep in its module: resources and modules.

    Args:
        paths: The files.
        largest: Bytes of a file that is read.
    """
    named = (path for path in paths if path.suffix.lower() == ".json" and not path.name.startswith("."))
    return frozenset(address for path in named for address in _iter_planned(path, largest))


def _iter_planned(path: Path, largest: int) -> Iterator[str]:
    try:
        is_read = path.is_file() and path.stat().st_size <= largest
        content = path.read_bytes() if is_read else b""
        document: Any = json.loads(content) if b'"resource_changes"' in content else None
    except (OSError, ValueError, RecursionError):  # said where the file itself is read
        return
    if not is_plan(document) or explain_plan_fault(document):
        return
    for resource in document["resource_changes"]:
        if not isinstance(resource, dict) or not isinstance(change := resource.get("change"), dict):
            continue
        if change.get("actions") not in (["delete"], ["forget"]) and resource.get("mode") != "data":
            module = _MODULE.match(str(resource.get("address")))
            yield module[0] if module else f"{resource.get('type')}.{resource.get('name')}"


def explain_plan_fault(document: Mapping[str, Any]) -> str:
    """Return why a plan as a whole cannot be evaluated, empty where it can."""
    version = document["format_version"]
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        return f"unknown format_version {version!r} of a Terraform plan: 0.x and 1.x are read"
    if document.get("errored") is True:
        return "the plan ended with an error and is not whole: plan again"
    if not isinstance(document.get("resource_changes"), list):
        return "this is not a plan, it has no resource_changes: write terraform show -json PLANFILE > plan.json"
    return ""


def iter_planned_changes(document: Mapping[str, Any], file: str) -> Iterator[Found]:
    """Yield what a plan does to Kafka's resources.

    Args:
        document: The plan.
        file: Its file; resources have the line of their block where a ``.tf`` file beside it has it.
    """
    if problem := explain_plan_fault(document):
        yield Fault(file, 1, problem)
        return
    blocks = _locate_blocks(Path(file).parent) if file != "-" else {}
    for resource in document["resource_changes"]:
        if not isinstance(resource, dict) or not isinstance(type := resource.get("type"), str):
            yield Fault(file, 1, "one of resource_changes is not an object with a type: plan again")
            continue
        address = str(resource.get("address"))
        place, line = blocks.get((type, str(resource.get("name"))), (file, 1))
        if resource.get("mode") == "data" or not is_about_kafka(type):
            continue
        try:
            yield from _iter_changes(resource, type, place, line)
        except UnusableDeclaration as why:
            yield Fault(place, line, f"{address}: {why}")
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as why:
            kind = why.__class__.__name__
            yield Fault(place, line, f"{address}: not as its provider writes it ({kind}): plan again")
    if document.get("deferred_changes"):
        yield Fault(file, 1, "the plan defers changes, which are not evaluated: apply it and plan again")


def _iter_changes(
    resource: Mapping[str, Any], type: str, file: str, line: int
) -> Iterator[Declaration | SkippedDocument | UnchangedResource]:
    change, address = resource["change"], str(resource["address"])
    actions = change["actions"]
    if type not in READERS:
        if actions in (["no-op"], ["read"]):  # of all else nobody may take it for decided
            return
        raise UnusableDeclaration(line, f"there is no reader for {type}: it is not evaluated")
    reader = READERS[type]
    seen = PlannedChange(
        file, line, address, change.get("before") or {}, change.get("after") or {}, change.get("after_unknown")
    )
    if resource.get("deposed"):
        actions = ["delete"]
    match sorted(actions):
        case ["no-op"] | ["read"]:
            yield UnchangedResource(file, line)
            return
        case ["create"] | ["create", "forget"]:
            done = ["create"]
        case ["update"] | ["delete"]:
            done = actions
        case ["create", "delete"]:
            done = ["delete", "create"]
        case ["forget"]:
            yield SkippedDocument(file, line, f"{address}, that nobody manages any more", is_known=True)
            return
        case _:
            raise UnusableDeclaration(line, f"unknown actions {actions}: it is not evaluated")
    for action in done:
        declared = reader(action, seen)
        yield from [] if declared is None else [declared] if isinstance(declared, Declaration) else declared


def _locate_blocks(directory: Path) -> dict[tuple[str, str], tuple[str, int]]:
    """File and line of each resource's block in the directory; one that is there twice is left out."""
    blocks: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for path in sorted(directory.glob("*.tf")):
        try:
            content = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue  # the plan's own line 1 then
        for match in re.finditer(r'^\s*resource\s+"(\w+)"\s+"([\w-]+)"', content, re.MULTILINE):
            place = (str(path), content.count("\n", 0, match.start(1)) + 1)
            blocks.setdefault((match[1], match[2]), []).append(place)
    return {key: places[0] for key, places in blocks.items() if len(places) == 1}
