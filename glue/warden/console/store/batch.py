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
    for one in found:
        noted = clients.setdefault(one.id, {})
        if isinstance(one, ClientNote):
            fresh.append(one)
            noted[one.prefix] = one.client
            for item in items[one.id]:
                if item.startswith(one.prefix) and not new[one.id, item].client:
                    new[one.id, item] = replace(new[one.id, item], client=one.client)
        elif (one.id, one.item) not in known and (one.id, one.item) not in new:
            prefix = min((prefix for prefix in noted if one.item.startswith(prefix)), default=None)
            new[one.id, one.item] = one if prefix is None else replace(one, client=noted[prefix])
            items[one.id].append(one.item)
    return IntakeBatch(list(new.values()), fresh)
