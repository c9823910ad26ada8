"""``warden configs --describe`` of topics, groups, client metrics, nodes and loggers, in kafka-configs.sh's lines."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from warden.commands import EXIT_OK
from warden.commands.configs.entities import KINDS, EntityPart
from warden.commands.configs.java_order import hash_text, order_as_java
from warden.commands.configs.nodes import ConfigNodes, open_nodes
from warden.commands.topics.options import ChangeOptions

if TYPE_CHECKING:
    from warden.state.sources.kafka.read.node_configs import NodeConfigEntry

__all__ = ["describe_resources", "find_target", "read_dynamic"]

_OF_ALL_NODES = "DYNAMIC_DEFAULT_BROKER_CONFIG"
_ON_NODES = ("brokers", "broker-loggers")


def describe_resources(options: ChangeOptions, controllers: str, part: EntityPart, *, every: bool) -> int:
    """Print configs.

    Args:
        options: Those of the command.
        controllers: Controllers to connect to, in the place of brokers; or nothing.
        part: Which resource, or all of its kind.
        every: Whether to show configs that are not dynamic too.

    Raises:
        WardenError: The cluster does not answer.
    """
    with open_nodes(options, controllers) as nodes:
        if not every and not _is_there(nodes, part):
            click.echo(f"The {part.option[:-1]} '{part.name}' doesn't exist and doesn't have dynamic config.")
            return EXIT_OK
        wanted = _list_names(nodes, part.option) if part.any_name else [part.name or ""]
        resources = {name: read_dynamic(nodes, part.option, name, every=every) for name in wanted}
    if options.output == "json":
        click.echo(json.dumps([_build_document(part, name, configs) for name, configs in resources.items()], indent=2))
        return EXIT_OK
    for name, configs in resources.items():
        click.echo(
            f"{'All' if every else 'Dynamic'} configs for {part.option[:-1]} {name} are:"
            if name
            else f"Default configs for {part.option} in the cluster are:"
        )
        for config in configs:
            synonyms = ", ".join(f"{source}:{key}={_format_value(value)}" for source, key, value in config.synonyms)
            sensitive = str(config.sensitive).lower()
            click.echo(f"  {config.name}={_format_value(config.value)} sensitive={sensitive} synonyms={{{synonyms}}}")
    return EXIT_OK


def read_dynamic(nodes: ConfigNodes, option: str, name: str, *, every: bool = False) -> list["NodeConfigEntry"]:
    """Return a resource's dynamic configs, of a node's loggers all.

    Args:
        nodes: Who tells.
        option: The kind of resource, as ``--entity-type`` has it.
        name: Its name; empty for all nodes.
        every: Whether to return configs that are not dynamic too.

    Raises:
        WardenError: There is no such node, or it does not tell.
    """
    from warden.state.sources.kafka.read.node_configs import read_resource_configs

    kind = KINDS[option]
    configs = read_resource_configs(nodes.connection, kind.resource, name, find_target(nodes, option, name))
    source = _OF_ALL_NODES if option == "brokers" and not name else kind.source
    return [config for config in configs if every or source in (None, config.source)]


def find_target(nodes: ConfigNodes, option: str, name: str) -> int | None:
    """Return the node that has a resource; None where any will do.

    Raises:
        ConfigurationError: There is no such node.
    """
    return nodes.find_node(name) if option in _ON_NODES and name else None


def _is_there(nodes: ConfigNodes, part: EntityPart) -> bool:
    if part.name is None:
        return True
    if part.option in _ON_NODES:
        return nodes.has_node(part.name)
    return part.name in _list_names(nodes, part.option)


def _list_names(nodes: ConfigNodes, option: str) -> list[str]:
    """The names of all resources of a kind, in kafka-configs.sh's order; of nodes with the defaults of all of them."""
    if option in _ON_NODES:
        return [*map(str, nodes.ids), ""]
    from warden.state.sources.kafka.read.listed_names import (
        list_group_names,
        list_subscription_names,
        list_topic_names,
    )

    if option == "client-metrics":
        return list_subscription_names(nodes.connection)
    listed = list_topic_names(nodes.connection) if option == "topics" else list_group_names(nodes.connection, nodes.ids)
    return order_as_java(listed, hash_text)


def _format_value(value: str | None) -> str:
    return "null" if value is None else value


def _build_document(part: EntityPart, name: str, configs: Sequence["NodeConfigEntry"]) -> dict[str, Any]:
    by_key = {config.name: asdict(config) for config in configs}
    return {
        "entity": {part.field: name or None},
        "configs": {
            key: {
                "value": fields["value"],
                "source": fields["source"],
                "sensitive": fields["sensitive"],
                "synonyms": [
                    dict(zip(("source", "name", "value"), synonym, strict=True)) for synonym in fields["synonyms"]
                ],
            }
            for key, fields in by_key.items()
        },
    }
