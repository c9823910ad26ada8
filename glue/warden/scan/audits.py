"""What is audited besides topics: the brokers, ACLs and client configs that are in a cluster's own row."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from warden.scan.shared_input import SharedInput, audited_brokers, broker_item

__all__ = ["OPERATIONS", "Audit", "audits"]

OPERATIONS = {"topic": "AuditTopic", "broker": "AuditBroker", "acl": "AuditAcl", "client": "AuditClientConfigs"}
"""Kind of a resource → the operation that audits it."""

_DEFAULT = "<default>"


@dataclass(frozen=True)
class Audit:
    """One resource that is audited.

    Args:
        kind: ``broker``, ``acl`` or ``client``.
        resource: Its name, one of its kind in the cluster.
        common: What its input shares with others.
        item: Its own part of the decision input.
        topic: A name that it has and that may be a topic's, since its decision may depend on whether there is one;
            topics have a table of their own. None where it has none.
        without: What replaces ``item`` where there is no such topic.
    """

    kind: str
    resource: str
    common: SharedInput
    item: str
    topic: str | None = None
    without: str | None = None


def audits(state: Mapping[str, Any], common: Callable[[str], SharedInput]) -> Iterator[Audit]:
    """Yield what is audited of a cluster besides its topics.

    Args:
        state: The contract's cluster state; topics need not be in it.
        common: Returns what the inputs of an operation share.
    """
    brokers = common(OPERATIONS["broker"])
    for broker in audited_brokers(state)[0]:
        yield Audit("broker", broker, brokers, broker_item(broker, state))
    grants = common(OPERATIONS["acl"])
    for acls in (state.get("acls") or {}).values():
        yield from (_acl(acl, state, grants) for acl in acls)
    clients = common(OPERATIONS["client"])
    for user, client in _entities(state):
        yield Audit("client", _client_name(user, client), clients, _client_item(user, client, state))


def _acl(acl: Mapping[str, str], state: Mapping[str, Any], common: SharedInput) -> Audit:
    """Of users and topics the one that it names is there, if there is one; users only where the source knows them.

    Whether the name is a topic's is for the rules to say: one of a group's, or a prefix, is looked up as well.
    """
    users_state: dict[str, Any] = {}
    if isinstance(users := state.get("users"), Mapping):
        name = acl["principal"].partition(":")[2]
        users_state["users"] = {name: {}} if name in users else {}
    topic = acl["resourceName"]

    def item(topics: Mapping[str, Any]) -> str:
        return _json({"request": {"acl": acl}, "clusterState": {**users_state, "topics": topics}})

    named = "{permissionType} {operation} on {patternType} {resourceType} {resourceName} to {principal} from {host}"
    return Audit("acl", named.format(**acl), common, item({topic: {}}), topic, item({}))


def _entities(state: Mapping[str, Any]) -> list[tuple[str, str]]:
    parts = (state.get(part) or {} for part in ("clientConfigs", "staticClientConfigs"))
    return sorted({(user, client) for users in parts for user, clients in users.items() for client in clients})


def _client_name(user: str, client: str) -> str:
    return ", ".join(f"{kind} {name}" for kind, name in (("user", user), ("client-id", client)) if name)


def _client_item(user: str, client: str, state: Mapping[str, Any]) -> str:
    """With the parts of the state that are about it: a client's configs lie over those of its user."""
    given = {"user": user, "clientId": client}
    entity = {field: None if name == _DEFAULT else name for field, name in given.items() if name}
    stored = (state.get("clientConfigs") or {}).get(user) or {}
    shared: dict[str, Any] = {"clientConfigs": {user: {name: stored[name] for name in ("", client) if name in stored}}}
    if file := ((state.get("staticClientConfigs") or {}).get(user) or {}).get(client):
        shared["staticClientConfigs"] = {user: {client: file}}
        group = str((file.get("consumer") or {}).get("group.id", "")).strip()
        if stored_group := (state.get("groups") or {}).get(group):
            shared["groups"] = {group: stored_group}
    return _json({"request": {"entity": entity}, "clusterState": shared})


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":"), sort_keys=True)
