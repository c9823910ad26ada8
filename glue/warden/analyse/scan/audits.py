"""Audits besides those of topics: the brokers, ACLs and client configs that are in a cluster's own row."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warden.analyse.scan.own_state import OwnPath, resolve_path_step, select_resource_state
from warden.analyse.scan.shared_input import build_broker_item, encode_compact, list_audited_brokers

__all__ = ["OPERATIONS", "AuditedResource", "iter_audits", "list_audited_kinds"]

OPERATIONS = {"topic": "AuditTopic", "broker": "AuditBroker", "acl": "AuditAcl", "client": "AuditClientConfigs"}
"""Kind of a resource → the operation that audits it."""

_DEFAULT = "<default>"
_AMBIGUOUS = re.compile(r'[\s,"]')


@dataclass(frozen=True)
class AuditedResource:
    """One resource that is audited.

    Args:
        kind: ``broker``, ``acl`` or ``client``.
        resource: Its name, one of its kind in the cluster.
        common: Id of what its input shares with others (`warden.analyse.scan.shared_input.SharedInput`).
        item: Its own part of the decision input.
        topic: A name that it has and that may be a topic's, since its decision may depend on whether there is one;
            topics have a table of their own. None where it has none.
        item_without_topic: What replaces ``item`` where there is no such topic.
    """

    kind: str
    resource: str
    common: str
    item: str
    topic: str | None = None
    item_without_topic: str | None = None


def list_audited_kinds(state: Mapping[str, Any]) -> list[str]:
    """Return the kinds of which a cluster has something that is audited, besides topics.

    Args:
        state: The contract's cluster state.
    """
    there = {
        "broker": list_audited_brokers(state)[0],
        "acl": any((state.get("acls") or {}).values()),
        "client": _list_entities(state),
    }
    return [kind for kind, audited in there.items() if audited]


def iter_audits(
    state: Mapping[str, Any], common: Mapping[str, str], own: Mapping[str, Sequence[OwnPath]]
) -> Iterator[AuditedResource]:
    """Yield what is audited of a cluster besides its topics.

    Args:
        state: The contract's cluster state; topics need not be in it.
        common: Kind → id of what the inputs about it share, for each of the `list_audited_kinds`.
        own: Operation → what of the state comes with each resource; see `own_state`.
    """
    for broker in list_audited_brokers(state)[0]:
        yield AuditedResource("broker", broker, common["broker"], build_broker_item(broker, state))
    for acls in (state.get("acls") or {}).values():
        yield from (_build_acl_audit(acl, state, common["acl"], own[OPERATIONS["acl"]]) for acl in acls)
    for user, client in _list_entities(state):
        names = {"user": user, "clientId": client}
        entity = {field: None if name == _DEFAULT else name for field, name in names.items() if name}
        own_state = select_resource_state(own[OPERATIONS["client"]], names, state)
        item = encode_compact({"request": {"entity": entity}, "clusterState": own_state})
        yield AuditedResource("client", _format_client_name(user, client), common["client"], item)


def _build_acl_audit(
    acl: Mapping[str, str], state: Mapping[str, Any], common: str, own: Sequence[OwnPath]
) -> AuditedResource:
    """Topics have a table of their own, so that whether the one that is named is there is looked up later.

    Whether the name is a topic's is for the rules to say: one of a group's, or a prefix, is looked up as well.
    """
    apart = select_resource_state(own, acl, {**state, "topics": {}})
    (topic,) = (resolve_path_step(path[-1], acl, state) for path in own if path[0] == "topics")

    def encode_item(topics: Mapping[str, Any]) -> str:
        return encode_compact({"request": {"acl": acl}, "clusterState": {**apart, "topics": topics}})

    name = "{permissionType} {operation} on {patternType} {resourceType} {resourceName} to {principal} from {host}"
    quoted = name.format(**{field: _quote(text) for field, text in acl.items()})
    return AuditedResource("acl", quoted, common, encode_item({topic: {}}), topic, encode_item({}))


def _list_entities(state: Mapping[str, Any]) -> list[tuple[str, str]]:
    sections = (state.get(section) or {} for section in ("clientConfigs", "staticClientConfigs"))
    return sorted({(user, client) for users in sections for user, clients in users.items() for client in clients})


def _format_client_name(user: str, client: str) -> str:
    return ", ".join(f"{kind} {_quote(name)}" for kind, name in (("user", user), ("client-id", client)) if name)


def _quote(name: str) -> str:
    """A name as it is, or as JSON where it would run into what stands around it: no two resources have one name."""
    return json.dumps(name, ensure_ascii=False) if _AMBIGUOUS.search(name) else name
