"""Changes between two versions of files: each declaration that is new, altered or gone."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from warden.analyse.check.model import Declaration, Fault, FileContents, Found, SkippedDocument, UnusableDeclaration
from warden.analyse.check.readers.topic_formats import FORMATS_WITHOUT_DELETION
from warden.analyse.check.resolve import format_unknown_replicas, select_changed_numbers
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
        replace(one, unmanaged=assign_or_note(one.unmanaged)) if one.unmanaged else one for one in contents.skipped
    ]
    declared = [placed for one in contents.declared if (placed := assign_or_note(one)) is not None]
    return replace(contents, declared=declared, skipped=skipped, faults=faults)


def select_changes(revisions: Revisions, *, cluster_is_known: bool) -> FileContents:
    """Return what is to be decided of a change: what is declared the same on both sides is left out.

    A topic that is gone is ``DeleteTopic``, an ACL that is gone ``DeleteAcl``, a quota that is gone the removal of its
    keys, and a credential that is gone its removal. A topic that files which do not change declare too is a fault.

    Args:
        revisions: Both sides; each declaration has its cluster.
        cluster_is_known: Whether what is there is known from elsewhere; otherwise the base says it.
    """
    contents = replace(revisions.head, declared=[], faults=list(revisions.head.faults))
    contents.add(_iter_changes(revisions, cluster_is_known=cluster_is_known))
    return contents


def _iter_changes(revisions: Revisions, *, cluster_is_known: bool) -> Iterator[Found]:
    same, base, head, files = revisions.same.declared, revisions.base, revisions.head, revisions.files
    unchanged = {_build_key(one): one for one in same}
    before = {_build_key(one): one for one in base.declared}
    after = {
        _build_key(replace(one, operation=operation))
        for one in head.declared
        for operation in (one.operation, _UNDOES.get(one.operation, one.operation))
    }
    unmanaged = {_build_key(each.unmanaged) for each in (*revisions.same.skipped, *head.skipped) if each.unmanaged}
    broken = {fault.file for fault in head.faults}
    for one in head.declared:
        other = unchanged.get(_build_key(one))
        was = before.get(_build_key(one))
        if other is not None and one.operation == "CreateTopic":
            place = f"{other.file}:{other.line}"
            yield Fault(one.file, one.line, f"{one.name} is declared in {place} too: keep one of the two")
        elif was is None:
            yield one
        elif (was.operation, was.request) != (one.operation, one.request):
            yield one if cluster_is_known or one.operation != "CreateTopic" else _build_alteration(one, was)
    for key, one in before.items():
        if key in after or key in unchanged or one.file in broken:
            continue
        line = 1 if one.file in files else one.line  # of a file that is gone the line it had
        if one.format in FORMATS_WITHOUT_DELETION or one.stays or key in unmanaged:
            yield SkippedDocument(one.file, line, f"{one.name} is declared no more, and stays", is_known=True)
        elif removed := _build_removal(one, cluster_is_known=cluster_is_known):
            yield replace(removed, line=line, lines={})


def _build_key(one: Declaration) -> _Key:
    if one.component:  # a file, whatever it holds
        return one.format, one.cluster, one.name, one.file
    about: Any = one.request.get("topic") or one.request.get("entity") or one.request
    return one.format, one.cluster, one.operation, json.dumps(about, sort_keys=True)


def _build_alteration(one: Declaration, was: Declaration) -> Declaration:
    old, new = (dict(each.request.get("configs") or {}) for each in (was, one))
    if one.unlisted_configs == "keep":
        new = old | new
    new = {**{name: old[name] for name in one.untouched if name in old}, **new}
    request: dict[str, Any] = {"topic": one.request["topic"]}
    if new != old:
        request["configs"] = {"mode": "resolved", "before": old, "after": new}
    request |= select_changed_numbers(one.request, was.request)
    note = format_unknown_replicas(request, was.request)
    return replace(one, operation="AlterTopic", request=request, before=_build_state(was), note=note or one.note)


def _build_removal(one: Declaration, *, cluster_is_known: bool) -> Declaration | None:
    if one.operation == "CreateTopic":
        before = None if cluster_is_known else _build_state(one)
        return replace(one, operation="DeleteTopic", request={"topic": one.request["topic"]}, before=before)
    if one.operation == "CreateAcl":
        return replace(one, operation="DeleteAcl")
    if one.operation == "AlterQuota" and (ops := list(_iter_removals(one.request["ops"]))):
        return replace(one, request={**one.request, "ops": ops})
    if one.operation == "AlterScram" and not one.request.get("remove"):
        request = {"user": one.request["user"], "mechanism": one.request["mechanism"], "remove": True}
        return replace(one, request=request)
    return None


def _iter_removals(ops: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    yield from ({"key": op["key"], "remove": True} for op in ops if not op.get("remove"))


def _build_state(was: Declaration) -> dict[str, Any]:
    numbers = {key: was.request.get(key, -1) for key in ("numPartitions", "replicationFactor")}
    return {**numbers, "configs": dict(was.request.get("configs") or {})}
