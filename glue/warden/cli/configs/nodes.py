"""``warden configs --entity-type brokers``: configs of brokers and controllers, in the lines of kafka-configs.sh."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from warden.cli import EXIT_OK
from warden.cli.configs.entities import Part
from warden.cli.topics.options import ChangeOptions
from warden.errors import ConfigurationError, KafkaError

if TYPE_CHECKING:
    from warden.sources.kafka.connection import Connection
    from warden.sources.kafka.node_configs import NodeConfig

__all__ = ["Nodes", "describe_nodes", "open_nodes"]


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes that tell their configs.

    Args:
        connection: To brokers or controllers.
        ids: Their ids, in order.
        of: What they are, ``broker`` or ``controller``.
        active: The controller that changes go to; None where there is none.
    """

    connection: "Connection"
    ids: tuple[int, ...]
    of: str
    active: int | None = None

    def named(self, name: str) -> int:
        """Return the node of a name.

        Raises:
            ConfigurationError: There is none.
        """
        node = int(name) if name.isdecimal() else -1
        if node in self.ids:
            return node
        more = "; brokers tell theirs themselves: use --bootstrap-server" if self.of == "controller" else ""
        raise ConfigurationError(f"there is no {self.of} {name}, there are {', '.join(map(str, self.ids))}{more}")

    def changed_at(self, named: int | None) -> int | None:
        """Return where a change has to go: of controllers to the active one, whichever it is about.

        Args:
            named: The node that it is about; None for all.

        Raises:
            KafkaError: No controller is active.
        """
        if self.of == "broker":
            return named
        if self.active is None:
            raise KafkaError("no controller is active: try again once the quorum has elected one")
        return self.active


@contextmanager
def open_nodes(options: ChangeOptions, controllers: str) -> Iterator[Nodes]:
    """Connect to brokers, or to controllers where these are named.

    Raises:
        KafkaError: They do not answer.
    """
    from warden.sources.kafka.brokers import read_cluster
    from warden.sources.kafka.connection import connect
    from warden.sources.kafka.controllers import connect_controllers
    from warden.sources.kafka.security import read_properties

    security = read_properties(options.command_config) if options.command_config else {}
    if controllers:
        with connect_controllers(controllers, security=security, timeout=options.timeout) as quorum:
            yield Nodes(quorum, quorum.ids, "controller", quorum.active)
    else:
        with connect(options.bootstrap_server, security=security, timeout=options.timeout) as connection:
            yield Nodes(connection, tuple(broker.id for broker in read_cluster(connection).alive), "broker")


def describe_nodes(options: ChangeOptions, controllers: str, part: Part, *, every: bool) -> int:
    """Print configs.

    Args:
        options: Those of the command.
        controllers: Controllers to ask, in the place of brokers; or nothing.
        part: Which node, or all.
        every: Whether to show configs that are not dynamic too.

    Raises:
        WardenError: The cluster does not answer.
    """
    from warden.sources.kafka.node_configs import DEFAULT, read_node_configs

    with open_nodes(options, controllers) as nodes:
        wanted = [*map(str, nodes.ids), DEFAULT] if part.any_name else [part.name or DEFAULT]
        where = {name: nodes.named(name) if name else None for name in wanted}
        found = {
            name: _shown(read_node_configs(nodes.connection, name, node), name, every=every)
            for name, node in where.items()
        }
    if options.output == "json":
        click.echo(json.dumps([_document(name, configs) for name, configs in found.items()], indent=2))
        return EXIT_OK
    for name, configs in found.items():
        click.echo(
            f"{'All' if every else 'Dynamic'} configs for broker {name} are:"
            if name
            else "Default configs for brokers in the cluster are:"
        )
        for config in configs:
            synonyms = ", ".join(f"{source}:{key}={_text(value)}" for source, key, value in config.synonyms)
            sensitive = str(config.sensitive).lower()
            click.echo(f"  {config.name}={_text(config.value)} sensitive={sensitive} synonyms={{{synonyms}}}")
    return EXIT_OK


def _shown(configs: Sequence["NodeConfig"], name: str, *, every: bool) -> list["NodeConfig"]:
    dynamic = "DYNAMIC_BROKER_CONFIG" if name else "DYNAMIC_DEFAULT_BROKER_CONFIG"
    return [config for config in configs if every or config.source == dynamic]


def _text(value: str | None) -> str:
    return "null" if value is None else value


def _document(name: str, configs: Sequence["NodeConfig"]) -> dict[str, Any]:
    by_key = {config.name: asdict(config) for config in configs}
    return {
        "entity": {"broker": name or None},
        "configs": {
            key: {
                "value": fields["value"],
                "source": fields["source"],
                "sensitive": fields["sensitive"],
                "synonyms": [dict(zip(("source", "name", "value"), one, strict=True)) for one in fields["synonyms"]],
            }
            for key, fields in by_key.items()
        },
    }
