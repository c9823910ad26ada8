"""Client quotas (DescribeClientQuotas, KIP-546), keyed by entity."""

from collections.abc import Iterable
from typing import Any

from warden.state.sources.kafka.login.connection import Connection

__all__ = ["build_quotas_request", "parse_quotas", "read_quota_entries", "read_quotas"]

_EXACT, _DEFAULT, _ANY = range(3)
_ORDER = ("user", "client-id", "ip")


def read_quotas(connection: Connection) -> dict[str, dict[str, float]]:
    """Return the contract's ``quotas``: limits by entity, such as ``user=alice,client-id=<default>``.

    In a name ``%``, ``,`` and ``<`` are written as in a URL: the first client of ``alice`` and a user who is called
    ``alice,client-id=first`` are two.

    Raises:
        NotDisclosed: The cluster refuses to tell, or knows no such API (before Kafka 2.6).
    """
    return parse_quotas(connection.send(build_quotas_request()))


def build_quotas_request() -> Any:
    """Return the request for all quotas."""
    from kafka.protocol.admin import DescribeClientQuotasRequest

    return DescribeClientQuotasRequest(components=[], strict=False)


def read_quota_entries(connection: Connection, components: Iterable[tuple[str, str | None, bool]]) -> list[Any]:
    """Return Kafka's entries for the entities that consist of just these parts.

    Args:
        connection: The cluster.
        components: Entity type, name (None for the default entity), and whether any name will do.

    Raises:
        NotDisclosed: The cluster refuses to tell, or knows no such API (before Kafka 2.6).
    """
    from kafka.protocol.admin import DescribeClientQuotasRequest

    filters = [
        DescribeClientQuotasRequest.ComponentData(
            entity_type=kind, match_type=_ANY if any_name else _DEFAULT if name is None else _EXACT, match=name
        )
        for kind, name, any_name in components
    ]
    return list(connection.send(DescribeClientQuotasRequest(components=filters, strict=True)).entries or ())


def parse_quotas(response: Any) -> dict[str, dict[str, float]]:
    """Return what a response to `build_quotas_request` says, in the contract's form."""
    quotas = {
        _build_key(entry.entity): {
            item.key: item.value for item in sorted(entry.values, key=lambda item: str(item.key))
        }
        for entry in response.entries or ()
    }
    return dict(sorted(quotas.items()))


def _build_key(entity: Any) -> str:
    names = {item.entity_type: _escape_entity_name(item.entity_name) for item in entity}
    return ",".join(f"{kind}={names[kind]}" for kind in sorted(names, key=_rank_kind))


def _escape_entity_name(name: str | None) -> str:
    if name is None:
        return "<default>"
    return name.replace("%", "%25").replace(",", "%2C").replace("<", "%3C")


def _rank_kind(kind: str) -> tuple[int, str]:
    return (_ORDER.index(kind) if kind in _ORDER else len(_ORDER), kind)
