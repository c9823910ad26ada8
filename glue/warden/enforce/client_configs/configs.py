"""Describe and alter stored client configs as KIP-649 has it: the policy decides, and what it allows is stored."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from warden.base.errors import StoreConflict
from warden.base.process.backoff import Backoff
from warden.enforce.client_configs.store import (
    EVERYTHING,
    NOTHING,
    Entities,
    Selected,
    Store,
    StoredEntity,
    build_state,
)
from warden.enforce.sdk.warden import Warden
from warden.policy.bundle.catalog import read_catalog
from warden.policy.contract.decision import Decision, Document
from warden.state.sources.kafka.client_configs.records import EntityKey

__all__ = ["ClientConfigs"]

_ATTEMPTS = 10
_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.1, 2.0
_REGISTRATIONS = "supported.configs"
_MAX_VERSIONS = 16  # of software that clients of an entity have registered
_MAX_REGISTERED = 1000  # entities of a user of which nothing but registrations is stored
_LOG = logging.getLogger(__name__)


class ClientConfigs:
    """What a cluster holds for its clients.

    Args:
        store: Where it is stored.
        warden: The client that decides.
        state: Returns what else of the cluster's state the decisions are by, as the contract has it.
    """

    def __init__(self, store: Store, warden: Warden, state: Callable[[], Document]) -> None:
        self._store, self._warden, self._state = store, warden, state

    def describe(self, request: Document) -> Decision:
        """Describe entities, or resolve one client; what that client registers is stored.

        Args:
            request: As the contract has it of ``DescribeClientConfigs``.

        Returns:
            The decision, whose ``entries`` are what is described.

        Raises:
            OpaError: Nothing was decided.
            StoreError: The store does not answer.
        """
        return self._decide_and_store({"0": {"operation": "DescribeClientConfigs", "request": request}})["0"]

    def describe_for(self, requests: Sequence[tuple[Document, Document]]) -> list[Decision]:
        """Do as `describe` for several who ask, with one call of OPA and one look at the store.

        Args:
            requests: Principal and request of each, as the contract has them.
        """
        inputs = {
            str(number): {"operation": "DescribeClientConfigs", "principal": principal, "request": request}
            for number, (principal, request) in enumerate(requests)
        }
        decisions = self._decide_and_store(inputs)
        return [decisions[key] for key in inputs]

    def alter(self, requests: Sequence[Document], *, validate_only: bool = False) -> list[Decision]:
        """Alter entities, each as far as it is allowed, and return once what is allowed is stored.

        Args:
            requests: As the contract has them of ``AlterClientConfigs``, no entity twice.
            validate_only: Whether only to decide.

        Returns:
            The decision about each request.

        Raises:
            OpaError: Nothing was decided, and nothing was stored.
            StoreError: The store does not answer.
        """
        inputs = {
            str(number): {"operation": "AlterClientConfigs", "request": request, "validateOnly": validate_only}
            for number, request in enumerate(requests)
        }
        decisions = self._decide_and_store(inputs)
        return [decisions[key] for key in inputs]

    def _decide_and_store(self, inputs: Mapping[str, Document]) -> dict[str, Decision]:
        """Decide on what is stored now, and store what comes of it; anew where somebody else has stored meanwhile."""
        selection = {selected for input in inputs.values() for selected in _parse_selection(input["request"])}
        backoff = Backoff(_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS)
        for attempt in range(1, _ATTEMPTS + 1):
            entities = self._store.read(selection)
            state = {**self._state(), "clientConfigs": build_state(entities)}
            decisions = self._warden.decide_many(inputs, state=state)
            changes: dict[EntityKey, StoredEntity] = {}
            room: dict[str, int] = {}
            for key in inputs:
                for entry in decisions[key].document.get("entries", ()):
                    self._collect(entry, entities, changes, room)
            try:
                if changes:
                    self._store.write(changes)
            except StoreConflict:
                if attempt == _ATTEMPTS:
                    raise
                time.sleep(backoff.compute_delay())  # two who fence each other off must not come back together
                continue
            return decisions
        raise AssertionError  # the last attempt returns or raises

    def _collect(
        self, entry: Document, entities: Entities, changes: dict[EntityKey, StoredEntity], room: dict[str, int]
    ) -> None:
        """Add to `changes` what the decision says of one entity.

        Args:
            entry: What it says.
            entities: What is stored.
            changes: What is to be stored.
            room: By user, how many entities more may have registrations alone; looked up where one would.
        """
        if not entry.get("apply") and "registration" not in entry:
            return
        user, client = self._build_key(entry["entity"])
        before = changes.get((user, client)) or entities.get(user, {}).get(client, NOTHING)
        registered = before.configs.get(_REGISTRATIONS, {})
        if "registration" in entry and not before.configs:
            if user not in room:
                room[user] = self._count_room(user)
            if not room[user]:
                _report_full(str(self._warden.build_shared_input()["cluster"]), user)
                return
            room[user] -= 1
        if "registration" in entry:
            configs = {**before.configs, _REGISTRATIONS: _merge_registration(registered, entry["registration"])}
        else:
            configs = {**entry["values"], **({_REGISTRATIONS: registered} if registered else {})}
        if configs != before.configs:
            changes[user, client] = StoredEntity(configs, before.version)

    def _count_room(self, user: str) -> int:
        clients = self._store.read([(user, None)]).get(user, {})
        return max(0, _MAX_REGISTERED - sum(one.configs.keys() == {_REGISTRATIONS} for one in clients.values()))

    @staticmethod
    def _build_key(entity: Document) -> EntityKey:
        user, client = entity["user"], entity.get("clientId", "")
        default = _read_default_entity()
        return default if user is None else user, default if client is None else client


def _merge_registration(before: Document, registration: Document) -> dict[str, Any]:
    """What the clients of an entity registered: by software and version, the last one of each.

    What was registered last is behind the rest. Where there is too much, that goes first which was registered first of
    the software with the most versions.
    """
    name, version = registration["softwareName"], registration["softwareVersion"]
    merged = {other: dict(versions) for other, versions in before.items() if other != name}
    merged[name] = {**before.get(name, {}), version: registration["supportedConfigs"]}
    while sum(map(len, merged.values())) > _MAX_VERSIONS:
        longest = max(merged, key=lambda other: len(merged[other]))
        del merged[longest][next(iter(merged[longest]))]
        if not merged[longest]:
            del merged[longest]
    return merged


@lru_cache(maxsize=1024)
def _report_full(cluster: str, user: str) -> None:
    """Log, once for a user, that what its clients register is not stored."""
    _LOG.warning("too many registrations", extra={"cluster": cluster, "user": user, "most": _MAX_REGISTERED})


def _parse_selection(request: Document) -> set[Selected]:
    """What a request could be about: an entity and its user's, or what a filter names; else everything."""
    match request:
        case {"entity": dict(entity)}:
            user = _parse_name(entity.get("user", ""))
            return {(user, _parse_name(entity.get("clientId", ""))), (user, "")}
        case {"components": list(components)}:
            parts = {part.get("entityType"): part for part in components if isinstance(part, dict)}
            strict = request.get("strict") is True and "client-id" not in parts
            named, client = _parse_match(parts.get("user")), "" if strict else _parse_match(parts.get("client-id"))
            return {(None, client)} if named is None else {(named, client), (named, "")}
    return set(EVERYTHING)


def _parse_name(name: Any) -> str:
    """The store's name of a part of an entity; "" for none, and for what is refused."""
    return _read_default_entity() if name is None else name if isinstance(name, str) else ""


def _parse_match(component: Document | None) -> str | None:
    """The name that a component of a filter matches; None where that may be any."""
    kind = read_catalog("clients")["matchTypes"].get(str(component.get("matchType"))) if component else None
    if component is not None and kind == "exact" and isinstance(component.get("match"), str):
        return str(component["match"])
    return _read_default_entity() if kind == "default" else None


@cache
def _read_default_entity() -> str:
    return str(read_catalog("clients")["defaultEntity"])
