"""A connection to the controllers of a KRaft quorum, for what they tell in a broker's place (KIP-919).

They know no topics, so that kafka-python's admin client, which begins with those, cannot be used: a client without it
learns the controllers by DescribeCluster.
"""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from warden.base.errors import ConfigurationError, KafkaError, KafkaUnreachable
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NO_AUTHORIZER, NotDisclosed, format_reason
from warden.state.sources.kafka.login.first_request import close_client, prepare_options, try_bootstrap_servers
from warden.state.sources.kafka.read.acls import read_acls
from warden.state.sources.kafka.read.config_layers import select_cluster_wide, split_layers
from warden.state.sources.kafka.read.configs import BROKER, ConfigEntry, request_descriptions

__all__ = ["Controllers", "collect_controllers_state", "connect_controllers"]

_ABSENT = ("brokers", "defaults", "groups", "quotas", "topics", "totals", "users")
_CONTROLLERS = 2  # DescribeClusterRequest.EndpointType
_MISMATCHED = 114  # MISMATCHED_ENDPOINT_TYPE


class Controllers(Connection):
    """An open connection to controllers; use `connect_controllers`.

    Args:
        client: kafka-python's ``KafkaNetClient``, connected.
        bootstrap_controllers: What it was reached by, for messages.
        timeout: Seconds that a single request may take, with its retries.
        cluster: The answer to DescribeCluster.

    Attributes:
        cluster_id: The id that Kafka gave the cluster.
        ids: Node ids of all controllers, in their order.
        active: The controller that changes have to go to; None where there is none at the moment.
    """

    def __init__(self, client: Any, bootstrap_controllers: str, timeout: float, cluster: Any) -> None:
        super().__init__(client, bootstrap_controllers, timeout)
        self._client = client
        self.cluster_id = str(cluster.cluster_id)
        self.ids = tuple(sorted(node.broker_id for node in cluster.brokers))
        self.active = cluster.controller_id if cluster.controller_id in self.ids else None

    def close(self) -> None:
        """Close the sockets and end the I/O thread."""
        close_client(self._client)


def connect_controllers(
    bootstrap_controllers: str, *, security: Mapping[str, str] | None = None, timeout: float = 15.0
) -> Controllers:
    """Connect to controllers.

    Args:
        bootstrap_controllers: ``host:port``, several separated by commas.
        security: Kafka's client properties, see `warden.state.sources.kafka.login.security`.
        timeout: Seconds until an answer must be there.

    Raises:
        ConfigurationError: An argument is wrong, a server is a broker, or kafka-python is missing.
        KafkaUnreachable: No controller can be reached.
        KafkaError: The login is refused, or the controllers do not tell who they are.
    """
    options = prepare_options(bootstrap_controllers, security)
    from kafka.net.compat import KafkaNetClient
    from kafka.protocol.admin import DescribeClusterRequest

    deadline = time.monotonic() + timeout
    client = KafkaNetClient(**options, request_timeout_ms=max(1, int(timeout * 1000)))
    try:
        request = DescribeClusterRequest(endpoint_type=_CONTROLLERS, min_version=1)
        unfit = "is no controller of Kafka 3.7 or newer: use --bootstrap-server"
        cluster = try_bootstrap_servers(client, bootstrap_controllers, deadline, request, unfit)
        if cluster.error_code == _MISMATCHED:
            raise ConfigurationError(f"{bootstrap_controllers} is a broker, not a controller: use --bootstrap-server")
        if cluster.error_code or not cluster.brokers:
            why = (
                format_reason(cluster.error_code, cluster.error_message) if cluster.error_code else "none is registered"
            )
            raise KafkaError(f"the controllers at {bootstrap_controllers} do not tell who they are: {why}")
        _set_nodes(client, cluster)
    except BaseException:
        close_client(client)
        raise
    return Controllers(client, bootstrap_controllers, timeout, cluster)


def collect_controllers_state(controllers: Controllers) -> dict[str, Any]:
    """Return the contract's cluster state as far as controllers tell it: their own configs, those of all, and ACLs.

    Brokers, topics and all else are named in ``meta.unknown``, and why in ``meta.missing``.

    Args:
        controllers: The connection.

    Raises:
        KafkaError: A controller gives an answer that is no use.
    """
    observed = datetime.now(UTC)
    by_node: dict[int, Mapping[str, ConfigEntry]] = {}
    gaps = [f"{part}: controllers do not tell" for part in _ABSENT]
    for node in controllers.ids:
        try:
            (described,) = request_descriptions(controllers, BROKER, [str(node)], node)
        except KafkaUnreachable as error:
            gaps.append(f"brokers.{node}.configs: {error}")
            continue
        if described.error:
            gaps.append(f"brokers.{node}.configs: {described.error}")
        else:
            by_node[node] = described.configs
    nodes: dict[str, Any] = {str(node): {"rack": None, **split_layers(configs)} for node, configs in by_node.items()}
    if shared := select_cluster_wide(by_node):
        nodes[""] = {"configs": shared}
    acls: dict[str, Any] = {}
    unknown = [*_ABSENT]
    try:
        acls = {"acls": read_acls(controllers)}
    except NotDisclosed as refused:
        acls = {"acls": {}} if refused.code == NO_AUTHORIZER else {}
        gaps.append(f"acls: {refused}")
        unknown += [] if acls else ["acls"]
    return {
        "brokers": nodes,
        **acls,
        "meta": {
            "observedAt": observed.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "clusterId": controllers.cluster_id,
            "source": f"kafka://{controllers.bootstrap_servers}",
            "missing": sorted(gaps),
            "unknown": sorted(unknown),
        },
    }


def _set_nodes(client: Any, cluster: Any) -> None:
    """Tell kafka-python the nodes of the cluster, as an answer to Metadata would."""
    from kafka.protocol.metadata import MetadataResponse

    node_of, version = MetadataResponse.MetadataResponseBroker, 7
    nodes = [node_of(node.broker_id, node.host, node.port, node.rack, version=version) for node in cluster.brokers]
    of_cluster = {"cluster_id": cluster.cluster_id, "controller_id": cluster.controller_id}
    client.cluster.update_metadata(MetadataResponse(version=version, brokers=nodes, topics=[], **of_cluster))
