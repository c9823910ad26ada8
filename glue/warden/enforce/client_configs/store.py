"""Protocol of a store of client configs: reads entities, and writes those that nobody else has changed meanwhile."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from warden.state.sources.kafka.client_configs.records import EntityKey

__all__ = ["EVERYTHING", "NOTHING", "Entities", "Selected", "Store", "StoredEntity", "build_state"]


@dataclass(frozen=True, slots=True)
class StoredEntity:
    """What a store has of an entity.

    Args:
        configs: As the contract's ``clientConfigs`` has it: values by key, and ``supported.configs``.
        version: Grows with every change of this entity; 0 is that of an entity of which nothing is stored.
    """

    configs: Mapping[str, Any]
    version: int


NOTHING = StoredEntity({}, 0)
"""What is stored of an entity of which nothing is stored."""

Entities = Mapping[str, Mapping[str, StoredEntity]]
"""What a store has, by user and client-id; never changed in place."""

Selected = tuple[str | None, str | None]
"""Entities of a store: a user and a client-id as in `EntityKey`, None for all of either."""

EVERYTHING: Collection[Selected] = ((None, None),)


class Store(Protocol):
    """A store; safe to share between threads."""

    def read(self, selection: Collection[Selected] = EVERYTHING) -> Entities:
        """Return entities, with every change that was acknowledged before this was called.

        Args:
            selection: Which; what it costs depends on how many there are of these, not on how many are stored.

        Raises:
            StoreError: It does not answer.
        """

    def take_changes(self) -> set[EntityKey]:
        """Return the entities that anybody has stored or removed since this was last called; any the first time.

        Raises:
            StoreError: It does not answer; a later call tells the same then.
        """

    def write(self, changes: Mapping[EntityKey, StoredEntity]) -> None:
        """Store entities, all or none, and return once no failure of this process can lose them.

        Args:
            changes: The new configs, none to remove the entity, each with the version that it had when it was read.

        Raises:
            StoreConflict: One of them has another version by now.
            InputError: One of them is larger than the store takes.
            StoreError: It does not answer: whether something was stored shows when it is read.
        """

    def close(self) -> None:
        """Close it."""


def build_state(entities: Entities) -> dict[str, dict[str, Any]]:
    """Return entities as the contract's ``clientConfigs``."""
    return {
        user: {client: dict(stored.configs) for client, stored in sorted(clients.items())}
        for user, clients in sorted(entities.items())
    }
