"""Changes between two versions of files: each declaration that is new, altered or gone."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from warden.analyse.check.model import Declaration, Fault, FileContents, Found, SkippedDocument, UnusableDeclaration
from warden.analyse.check.readers.topic_formats import FORMATS_WITHOUT_DELETION
from warden.analyse.check.resolve import (
    format_unknown_replicas,
    iter_duplicates,
    list_open,
    read_labels,
    select_changed_numbers,
)
from warden.analyse.check.revisions.commits import Revisions

__all__ = ["assign_clusters", "select_changes"]

_Key = tuple[str, str | None, str, str]
"""Format, cluster, kind and name of a declaration: not its file, so that one that moves is the same."""

_UNDOES = {"DeleteTopic": "CreateTopic", "DeleteAcl": "CreateAcl"}
"""What removes → what declares the same."""


def assign_clusters(contents: FileContents, assign: Callable[[Declaration], Declaration]) -> FileContents:
    """Return contents in which each declaration has its cluster; one whose cluster cannot be read is a fault.

    Args:
        contents: What files declare.
        assign: Returns a declaration with its cluster.
    """
    faults = list(contents.faults)

    def assign_or_note(declared: Declaration) -> Declaration | None:
        try:
            return assign(declared)
        except UnusableDeclaration as refused:
            faults.append(Fault(declared.file, refused.line, str(refused)))
            return None

    skipped = [
        replace(skip, unmanaged=assign_or_note(skip.unmanaged)) if skip.unmanaged else skip for skip in contents.skipped
    ]
    declared = [placed for declaration in contents.declared if (placed := assign_or_note(declaration)) is not None]
    return replace(contents, declared=declared, skipped=skipped, faults=faults)


def select_changes(revisions: Revisions, *, cluster_is_known: bool) -> FileContents:
    """Return what is to be decided of a change: what is declared the same on both sides is left out.

    A topic that is gone is ``DeleteTopic``, an ACL that is gone ``DeleteAcl``, a quota that is gone the removal of its
    keys, and a credential that is gone its removal. What is not known may change. A topic that is declared twice is a
    fault where one of the two is in a file that changes.

    Args:
        revisions: Both sides; each declaration has its cluster.
        cluster_is_known: Whether what is there is known from elsewhere; otherwise the base says it.
    """
    contents = replace(revisions.head, declared=[], faults=list(revisions.head.faults))
    contents.add(_iter_changes(revisions, cluster_is_known=cluster_is_known))
    return contents


def _iter_changes(revisions: Revisions, *, cluster_is_known: bool) -> Iterator[Found]:
    same, base, head, files = revisions.same.declared, revisions.base, revisions.head, revisions.files
    unchanged = {_build_key(declared) for declared in same}
    before = {_build_key(declared): declared for declared in base.declared}
    after = {
        _build_key(replace(declared, operation=operation))
        for declared in head.declared
        for operation in (declared.operation, _UNDOES.get(declared.operation, declared.operation))
    }
    unmanaged = {_build_key(skip.unmanaged) for skip in (*revisions.same.skipped, *head.skipped) if skip.unmanaged}
    broken = {fault.file for fault in head.faults}
    placed = ((str(declared.cluster), declared) for declared in (*same, *head.declared))
    doubled = {id(second): fault for second, fault in iter_duplicates(placed)}
    for now in head.declared:
        was = before.get(_build_key(now))
        if id(now) in doubled:
            yield doubled[id(now)]
        elif was is None:
            yield now
        elif list_open(now) or _list_parts(was) != _list_parts(now):
            known = cluster_is_known or now.operation != "CreateTopic"
            yield replace(now, earlier_labels=read_labels(was)) if known else _build_alteration(now, was)
    for key, old in before.items():
        if key in after or key in unchanged or old.file in broken:
            continue
        line = 1 if old.file in files else old.line  # of a file that is gone the line it had
        if old.format in FORMATS_WITHOUT_DELETION or old.stays or key in unmanaged:
            yield SkippedDocument(old.file, line, f"{old.name} is declared no more, and stays", is_known=True)
        elif removed := _build_removal(old, cluster_is_known=cluster_is_known):
            yield replace(removed, line=line, lines={})


def _build_key(declared: Declaration) -> _Key:
    if declared.component:  # a file, whatever it holds
        return declared.format, declared.cluster, declared.name, declared.file
    about: Any = declared.request.get("topic") or declared.request.get("entity") or declared.request
    return declared.format, declared.cluster, declared.operation, json.dumps(about, sort_keys=True)


def _list_parts(declared: Declaration) -> tuple[Any, ...]:
    return declared.operation, declared.request, declared.unknown


def _build_alteration(now: Declaration, was: Declaration) -> Declaration:
    old, new = (dict(declaration.request.get("configs") or {}) for declaration in (was, now))
    if now.unlisted_configs == "keep":
        new = old | new
    new = {**{name: old[name] for name in now.untouched if name in old}, **new}
    request: dict[str, Any] = {"topic": now.request["topic"]}
    if new != old:
        request["configs"] = {"mode": "resolved", "before": old, "after": new}
    request |= select_changed_numbers(now.request, was.request)
    note = format_unknown_replicas(request, was.request)
    return replace(
        now,
        operation="AlterTopic",
        request=request,
        before=_build_state(was),
        labels=now.request.get("labels", {}),
        earlier_labels=read_labels(was),
        note=note or now.note,
    )


def _build_removal(declared: Declaration, *, cluster_is_known: bool) -> Declaration | None:
    if declared.operation == "CreateTopic":
        before = None if cluster_is_known else _build_state(declared)
        request = {"topic": declared.request["topic"]}
        labels = read_labels(declared)
        return replace(declared, operation="DeleteTopic", request=request, before=before, earlier_labels=labels)
    if declared.operation == "CreateAcl":
        return replace(declared, operation="DeleteAcl")
    if declared.operation == "AlterQuota" and (ops := list(_iter_removals(declared.request["ops"]))):
        return replace(declared, request={**declared.request, "ops": ops})
    if declared.operation == "AlterScram" and not declared.request.get("remove"):
        request = {"user": declared.request["user"], "mechanism": declared.request["mechanism"], "remove": True}
        return replace(declared, request=request)
    return None


def _iter_removals(ops: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    yield from ({"key": op["key"], "remove": True} for op in ops if not op.get("remove"))


def _build_state(was: Declaration) -> dict[str, Any]:
    numbers = {key: was.request.get(key, -1) for key in ("numPartitions", "replicationFactor")}
    return {**numbers, "configs": dict(was.request.get("configs") or {})}
