"""One load of every source, written or only compared with what OPA has."""

import secrets
import time
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from warden.base.errors import WriteWithheld
from warden.policy.opa.client import OpaClient
from warden.state.lease import LeaseView
from warden.state.replicate.config import ReplicatedSource, ReplicatorConfig
from warden.state.replicate.losses import LossTracker
from warden.state.replicate.meta import build_meta
from warden.state.replicate.patch import Operation, iter_operations
from warden.state.replicate.replica import Replica
from warden.state.replicate.replicator import check_accept_loss
from warden.state.replicate.state_filter import read_required_parts
from warden.state.replicate.target import Target
from warden.state.sources.source import ResumableSource

__all__ = ["replicate_once"]


def replicate_once(
    config: ReplicatorConfig, *, trim: bool = False, accept_loss: Collection[str] = (), dry_run: bool = False
) -> list[dict[str, Any]]:
    """Load every source once.

    Args:
        config: The configuration.
        trim: Whether of clusters only what OPA's rules read is kept.
        accept_loss: Names of sources whose loss is believed, however large.
        dry_run: Whether nothing is written.

    Returns:
        For each source: ``source``; ``entries`` by part; ``missing``; ``revision``; ``previous`` (the revision that OPA
        had); ``written``; ``operations``: with ``dry_run`` the JSON Patch that would make OPA's replica the same.

    Raises:
        WriteWithheld: A loss is held back, or another replicator keeps the replica; nothing of that source was written.
        WardenError: A source or OPA cannot be read or written.
    """
    check_accept_loss(config, accept_loss)
    with config.opa.build_client() as client:
        return [
            _replicate_source(
                replicated,
                client,
                read_required_parts(client) if trim and replicated.source.root[0] == "clusters" else None,
                accept=replicated.source.name in accept_loss,
                dry_run=dry_run,
            )
            for replicated in config.replicated
        ]


def _replicate_source(
    replicated: ReplicatedSource, client: OpaClient, parts: frozenset[str] | None, *, accept: bool, dry_run: bool
) -> dict[str, Any]:
    source, identity = replicated.source, f"once-{secrets.token_hex(6)}"
    target, lease = Target(client, source.root, source.meta, identity), LeaseView(identity, replicated.settings.lease)
    previous = target.read_meta()
    losses = LossTracker(replicated.settings.guard, source.entries, accept=accept)
    if previous:
        losses.remember(previous)
        if isinstance(source, ResumableSource):
            source.resume(previous, target.read_entries(source.entries))
    try:
        document = source.load()
    finally:
        source.close()
    details, observed = dict(source.details), source.observed or datetime.now(UTC)
    held = losses.check_load(None, document, details, time.monotonic())
    replica = Replica(document, parts=parts, depth=source.depth)
    meta = build_meta(source, replica, f"{lease.term}.1", observed, details)
    leader = lease.find_leader(previous, time.monotonic(), observed)
    if not dry_run:
        name = f"{source.kind} {source.name}"
        if held:
            raise WriteWithheld(f"{name} was not written: {held}")
        if leader:
            raise WriteWithheld(
                f"{name} was not written: the replicator {leader} writes it: stop that one, or use --dry-run"
            )
        target.swap(replica.document, meta)
        target.release()
    return {
        "source": f"{source.kind}/{source.name}",
        "entries": replica.counts,
        "missing": details.get("missing", []),
        "revision": meta["revision"],
        "previous": previous and previous.get("revision"),
        "held": held,
        "leader": leader,
        "written": not dry_run,
        "operations": _list_differences(target, replica.document, source.meta[len(source.root) :]) if dry_run else [],
    }


def _list_differences(target: Target, document: dict[str, Any], meta: tuple[str, ...]) -> list[Operation]:
    """The operations that would make OPA's replica the same, meta apart."""
    content = target.read_part(())
    if not isinstance(content, dict):
        return [{"op": "add", "path": f"/{key}", "value": value} for key, value in document.items()]
    current = {key: value for key, value in content.items() if (key,) != meta}
    return [
        *({"op": "remove", "path": f"/{key}"} for key in current.keys() - document.keys()),
        *({"op": "add", "path": f"/{key}", "value": document[key]} for key in document.keys() - current.keys()),
        *(
            change
            for key in sorted(current.keys() & document.keys())
            for change in iter_operations((key,), current[key], document[key])
        ),
    ]
