"""Configs of groups (KIP-848, KIP-932) and client metrics subscriptions (KIP-714)."""

from collections.abc import Callable, Mapping
from typing import Any

from warden.policy.contract.names import CONFIG_RESOURCE_TYPES
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NotDisclosed, format_reason
from warden.state.sources.kafka.read.configs import iter_described

__all__ = ["ConfigResourceReader", "add_resource_configs"]

_TYPES = {CONFIG_RESOURCE_TYPES[name]: name for name in ("client-metrics", "group")}
_SOURCES = (7, 8)  # DescribeConfigsResponse.ConfigSource: CLIENT_METRICS_CONFIG, GROUP_CONFIG

SendIfChanged = Callable[[str, Any], Any]
"""Sends a request under a key and returns its response; None where that is the same as the last one of this key."""


class ConfigResourceReader:
    """Reads the overrides of every group and subscription that has some, again and again."""

    def __init__(self) -> None:
        self._listed: list[tuple[int, str]] = []
        self._configs: dict[tuple[int, str], dict[str, str]] = {}

    def read(self, ask: SendIfChanged) -> dict[str, dict[str, dict[str, str]]]:
        """Return the contract's ``resourceConfigs``: overrides by type and name.

        Raises:
            NotDisclosed: The cluster is older than 4.1 (KIP-1142), or does not tell this principal.
        """
        from kafka.protocol.admin import DescribeConfigsRequest, ListConfigResourcesRequest

        listed = ask("configResources", ListConfigResourcesRequest(resource_types=list(_TYPES), min_version=1))
        if listed is not None:
            if listed.error_code:
                raise NotDisclosed(format_reason(listed.error_code, None), listed.error_code)
            self._listed = sorted((row.resource_type, row.resource_name) for row in listed.config_resources)
        if self._listed:
            resources = [(kind, name, None) for kind, name in self._listed]
            response = ask("resourceConfigs", DescribeConfigsRequest(resources=resources, min_version=1))
            if response is not None:
                self._configs = _parse_overrides(response)
        return {
            word: {name: self._configs.get((kind, name), {}) for kind, name in self._listed if kind == code}
            for code, word in _TYPES.items()
        }


def add_resource_configs(connection: Connection, state: Mapping[str, Any]) -> dict[str, Any]:
    """Return a cluster's state with what its groups and subscriptions override; what Kafka does not tell is missing.

    Args:
        connection: The cluster.
        state: The contract's, of a reader that leaves it out.
    """
    gaps = [line for line in state["meta"]["missing"] if not line.startswith("resourceConfigs:")]
    overrides: dict[str, Any] = {}
    try:
        overrides = {
            "resourceConfigs": ConfigResourceReader().read(lambda _key, request: connection.send(request, check=False))
        }
    except NotDisclosed as refused:
        gaps = sorted([*gaps, f"resourceConfigs: {refused}"])
    return {**state, **overrides, "meta": {**state["meta"], "missing": gaps}}


def _parse_overrides(response: Any) -> dict[tuple[int, str], dict[str, str]]:
    configs = {}
    for result, resource in zip(response.results, iter_described(response), strict=True):
        if resource.error:
            raise NotDisclosed(f"{_TYPES[result.resource_type]} {resource.name!r}: {resource.error}", resource.code)
        set_here = {key: entry.value for key, entry in resource.configs.items() if entry.source in _SOURCES}
        configs[result.resource_type, resource.name] = {key: text for key, text in set_here.items() if text is not None}
    return configs
