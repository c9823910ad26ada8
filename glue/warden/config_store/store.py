"""What a store of client configs does: read all of it, and write entities that nobody else has changed meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from warden.sources.kafka.client_config_records import Key

__all__ = ["NOTHING", "Entities", "Store", "Stored", "state_of"]


@dataclass(frozen=True, slots=True)
class Stored:
    """What a store has of an entity.

    Args:
        configs: As the contract's ``clientConfigs`` has it: values by key, and ``supported.configs``.
        version: Grows with every change of this entity; 0 is that of an entity of which nothing is stored.
    """

    configs: Mapping[str, Any]
    version: int


NOTHING = Stored({}, 0)
"""What is stored of an entity of which nothing is stored."""

Entities = Mapping[str, Mapping[str, Stored]]
"""What a store has, by user and client-id; never changed in place."""


class Store(Protocol):
    """A store; safe to share between threads."""

    def read(self) -> Entities:
        """Return all entities, with every change that was acknowledged before this was called.

        Raises:
            StoreError: It does not answer.
        """

    def write(self, changes: Mapping[Key, Stored]) -> None:
        """Store entities, all or none, and return once no failure of this process can lose them.

        Args:
            changes: The new configs, none to remove the entity, each with the version that it had when it was read.

        Raises:
            StoreConflict: One of them has another version by now.
            StoreError: It does not answer: whether something was stored shows when it is read.
        """

    def close(self) -> None:
        """Close it."""


def state_of(entities: Entities) -> dict[str, dict[str, Any]]:
    """Return entities as the contract's ``clientConfigs``."""
    return {
        user: {client: dict(stored.configs) for client, stored in sorted(clients.items())}
        for user, clients in sorted(entities.items())
    }
