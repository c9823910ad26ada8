"""The nodes that tell configs, and take changes of them: brokers, or controllers."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import ConfigurationError, KafkaError
from warden.commands.shared.options import read_login
from warden.commands.topics.options import ChangeOptions

if TYPE_CHECKING:
    from warden.state.sources.kafka.login.connection import Connection

__all__ = ["ConfigNodes", "open_nodes"]


@dataclass(frozen=True, slots=True)
class ConfigNodes:
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

    def has_node(self, name: str) -> bool:
        """Return whether there is a node of that name."""
        return name in map(str, self.ids)

    def find_node(self, name: str) -> int:
        """Return the node of a name.

        Raises:
            ConfigurationError: There is none.
        """
        node = int(name) if name.isdecimal() else -1
        if node in self.ids:
            return node
        more = "; brokers tell theirs themselves: use --bootstrap-server" if self.of == "controller" else ""
        raise ConfigurationError(f"{describe_unknown(self.of, name, map(str, self.ids))}{more}")

    def choose_target(self, named: int | None, *, of_node: str) -> int | None:
        """Return where a change has to go: of controllers to the active one, but of loggers to the node that has them.

        Args:
            named: The node that it is about; None for all, and for what is not a node's.
            of_node: What is changed, as ``--entity-type`` has it.

        Raises:
            KafkaError: No controller is active.
        """
        if self.of == "broker" or of_node == "broker-loggers":
            return named
        if self.active is None:
            raise KafkaError("no controller is active: try again once the quorum has elected one")
        return self.active


@contextmanager
def open_nodes(options: ChangeOptions, controllers: str) -> Iterator[ConfigNodes]:
    """Connect to brokers, or to controllers where these are named.

    Raises:
        KafkaError: They do not answer.
    """
    from warden.state.sources.kafka.login.connection import connect
    from warden.state.sources.kafka.read.brokers import read_cluster
    from warden.state.sources.kafka.read.controllers import connect_controllers

    security = read_login(options.command_config)
    if controllers:
        with connect_controllers(controllers, security=security, timeout=options.timeout) as quorum:
            yield ConfigNodes(quorum, quorum.ids, "controller", quorum.active)
    else:
        with connect(options.bootstrap_server, security=security, timeout=options.timeout) as connection:
            yield ConfigNodes(
                connection, tuple(broker.id for broker in read_cluster(connection).live_brokers), "broker"
            )
