"""Additions to a store by a batch of decisions and notes. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from warden.console.store.stored import ClientNote, StoredDecision

__all__ = ["IntakeBatch", "build_intake_batch"]


@dataclass(frozen=True)
class IntakeBatch:
    """What is to be stored.

    Args:
        decisions: The new ones, each once, in the order in which they came, with the client where a note names it.
        notes: The notes, in order: of those about the same items the last one counts.
    """

    decisions: list[StoredDecision]
    notes: list[ClientNote]


def build_intake_batch(
    found: Iterable[StoredDecision | ClientNote],
    known: set[tuple[str, str]],
    notes: Mapping[str, Mapping[str, str]],
) -> IntakeBatch:
    """Return what decisions and notes add.

    Args:
        found: They, in the order in which they came.
        known: Id and item of decisions that the store has.
        notes: Id → prefix → client, of notes that the store has.
    """
    new: dict[tuple[str, str], StoredDecision] = {}
    items: dict[str, list[str]] = defaultdict(list)
    clients: dict[str, dict[str, str]] = {id: dict(noted) for id, noted in notes.items()}
    fresh: list[ClientNote] = []
    for record in found:
        noted = clients.setdefault(record.id, {})
        if isinstance(record, ClientNote):
            fresh.append(record)
            noted[record.prefix] = record.client
            for item in items[record.id]:
                if item.startswith(record.prefix) and not new[record.id, item].client:
                    new[record.id, item] = replace(new[record.id, item], client=record.client)
        elif (record.id, record.item) not in known and (record.id, record.item) not in new:
            prefix = min((prefix for prefix in noted if record.item.startswith(prefix)), default=None)
            new[record.id, record.item] = record if prefix is None else replace(record, client=noted[prefix])
            items[record.id].append(record.item)
    return IntakeBatch(list(new.values()), fresh)
