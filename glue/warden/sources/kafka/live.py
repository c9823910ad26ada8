"""A cluster polled over one connection: all parts of its state but labels and totals."""

from collections.abc import Callable, Mapping
from typing import Any

from warden.errors import KafkaError, KafkaUnreachable
from warden.sources.kafka.acls import acls_of, acls_request
from warden.sources.kafka.brokers import Cluster, broker_documents, read_cluster
from warden.sources.kafka.collect import cluster_defaults
from warden.sources.kafka.config_resources import ConfigResources
from warden.sources.kafka.configs import BROKER, Entry, configs_request, described
from warden.sources.kafka.connection import Connection, NotAvailable, reason
from warden.sources.kafka.consumers import read_consumers
from warden.sources.kafka.features import read_features
from warden.sources.kafka.last_write_times import UNKNOWN, read_writes
from warden.sources.kafka.live_topics import LiveTopics
from warden.sources.kafka.quotas import quotas_of, quotas_request
from warden.sources.kafka.repeated import Repeated
from warden.sources.kafka.users import known_users, scram_users_of, users_request

__all__ = ["LiveCluster"]

_SEEN = ("groups", "topics")  # listed by Kafka as far as the principal may see them, without a word about the rest
_BROKERS = 10  # whose configs are described at one look
_WRITES = 2000  # topics whose latest write is requested at one look


class LiveCluster:
    """The state of a cluster as it was at the last look.

    Args:
        connection: The cluster.
        budget: Topics whose configs are described at one look.

    Attributes:
        topics: The topics.
        parts: The contract's other parts, without totals; one that is not known is not there.
        missing: Sentences about what is not known.
        id: The cluster's id.
    """

    def __init__(self, connection: Connection, budget: int) -> None:
        self._connection = connection
        self._repeated = Repeated(connection)
        self.topics = LiveTopics(connection, self._repeated, budget)
        self.parts: dict[str, Any] = {}
        self.id = ""
        self._missing: dict[str, list[str]] = {}
        self._broker_configs: dict[int, Mapping[str, Entry]] = {}
        self._next_broker = 0
        self._scram: dict[str, Any] | None = None
        self._config_resources = ConfigResources()
        self._writes: dict[str, Any] = {}
        self._next_write = 0

    @property
    def missing(self) -> list[str]:
        """Sentences about what is not known, sorted."""
        of_topics = {f"{path}: {why}" for path, why in self.topics.missing.items()}
        return sorted({line for part, lines in self._missing.items() if part != "scram" for line in lines} | of_topics)

    @property
    def decoded(self) -> int:
        """How many answers differed from the ones before, since the beginning."""
        return self._repeated.decoded

    @property
    def all_topics(self) -> Mapping[str, dict[str, Any]]:
        """All topics, without labels."""
        return self.topics.topics

    def look(self, *, activity: bool) -> dict[str, dict[str, Any] | None]:
        """Look once; return the topics that changed, None for those that are gone.

        Args:
            activity: Whether to look at what is requested less often too: groups with their offsets, latest writes,
                and features.

        Raises:
            KafkaUnreachable: No broker can be reached.
            KafkaError: The cluster does not tell its brokers or topics.
        """
        cluster = read_cluster(self._connection)
        self.id = cluster.id
        self._missing["cluster"] = (
            []
            if cluster.describes_cluster
            else [f"{part}: only what this principal may see, it has no DESCRIBE on the cluster" for part in _SEEN]
        )
        try:
            changed = self.topics.look(cluster.controller)
        except NotAvailable as refused:
            raise KafkaError(
                f"the cluster at {self._connection.bootstrap_servers} does not tell its topics ({refused}): "
                "check the right to describe them"
            ) from None
        self._see_brokers(cluster)
        self._see("acls", acls_request, acls_of, {})
        self._see("quotas", quotas_request, quotas_of, {})
        self._see_users()
        self._see_config_resources()
        if activity:
            self._see_features()
            self._see_groups(cluster)
            self._see_writes()
        self.parts.setdefault("clientConfigs", {})
        return changed

    def _see(
        self, part: str, request: Callable[[], Any], read: Callable[[Any], Any], unknown: dict[str, Any] | None
    ) -> None:
        """Look at a part that is one response; where it is refused it is `unknown`, or not there."""
        try:
            response = self._repeated.ask(part, request())
            if response is None:
                return
            if response.error_code:
                raise NotAvailable(reason(response.error_code, response.error_message))
            self.parts[part] = read(response)
            self._missing[part] = []
        except NotAvailable as refused:
            self._missing[part] = [f"{part}: {refused}"]
            self.parts.pop(part, None)
            if unknown is not None:
                self.parts[part] = unknown

    def _see_brokers(self, cluster: Cluster) -> None:
        available = [broker for broker in cluster.brokers if not broker.fenced]
        new = [broker for broker in available if broker.id not in self._broker_configs]
        turn = [available[(self._next_broker + step) % len(available)] for step in range(min(_BROKERS, len(available)))]
        self._next_broker += len(turn)
        for broker in dict.fromkeys([*new, *turn]):
            key = f"brokers.{broker.id}.configs"
            try:
                response = self._repeated.ask(key, configs_request(BROKER, [str(broker.id)]), broker.id)
            except (NotAvailable, KafkaUnreachable) as error:
                self._missing[key] = [f"{key}: {error}"]
                continue
            for one in () if response is None else described(response):
                self._missing[key] = [f"{key}: {one.error}"] if one.error else []
                if not one.error:
                    self._broker_configs[broker.id] = one.configs
        ids = {broker.id for broker in cluster.brokers}
        self._broker_configs = {node: configs for node, configs in self._broker_configs.items() if node in ids}
        self._missing["fenced"] = [
            f"brokers.{broker.id}.configs: the broker is fenced, so it cannot be read"
            for broker in cluster.brokers
            if broker.fenced
        ]
        self.parts["clusterSize"] = len(cluster.brokers)
        self.parts["brokers"] = broker_documents(cluster, self._broker_configs)
        self._missing["defaults"] = []
        self.parts["defaults"] = cluster_defaults(
            self._broker_configs, self.topics.inherited, self._missing["defaults"]
        )

    def _see_users(self) -> None:
        """Who can log in hangs on SCRAM's users, and on what listeners take."""
        self._see("scram", users_request, scram_users_of, None)
        scram = self.parts.pop("scram", self._scram if not self._missing["scram"] else None)
        self._scram = scram
        self.parts.pop("users", None)
        self._missing["users"] = [line.replace("scram", "users", 1) for line in self._missing["scram"]]
        if scram is not None:
            try:
                self.parts["users"] = known_users(self._broker_configs.values(), scram)
            except NotAvailable as unknown:
                self._missing["users"] = [f"users: {unknown}"]

    def _see_config_resources(self) -> None:
        self.parts.pop("resourceConfigs", None)
        self._missing["resourceConfigs"] = []
        try:
            self.parts["resourceConfigs"] = self._config_resources.look(self._repeated.ask)
        except NotAvailable as refused:
            self._missing["resourceConfigs"] = [f"resourceConfigs: {refused}"]
            self._repeated.forget("configResources")
            self._repeated.forget("resourceConfigs")

    def _see_features(self) -> None:
        """Decoded each time: the answer is small, and does not begin as those do that `Repeated` can ask for."""
        try:
            self.parts["features"] = read_features(self._connection)
            self._missing["features"] = []
        except NotAvailable as refused:
            self._missing["features"] = [f"features: {refused}"]
            self.parts.pop("features", None)

    def _see_groups(self, cluster: Cluster) -> None:
        missing: list[str] = []
        self.parts["groups"], consumers = read_consumers(self._connection, cluster, missing)
        self.parts.pop("consumers", None)
        if consumers is not None:
            self.parts["consumers"] = consumers
        self._missing["groups"] = missing

    def _see_writes(self) -> None:
        names = sorted(self.topics.topics)
        turn = (
            names
            if len(names) <= _WRITES
            else [names[(self._next_write + step) % len(names)] for step in range(_WRITES)]
        )
        self._next_write = (self._next_write + len(turn)) % max(1, len(names))
        try:
            self._writes |= read_writes(self._connection, self.topics.leaders, turn)
        except NotAvailable as refused:
            self._missing["writes"] = [f"writes: {refused}"]
            self.parts.pop("writes", None)
            return
        present = self.topics.topics.keys()
        self._writes = {name: latest for name, latest in self._writes.items() if name in present}
        read_times = {name: latest for name, latest in self._writes.items() if latest is not UNKNOWN}
        unread = len(names) - len(read_times)
        self._missing["writes"] = [f"writes: not known of {unread} topics yet"] if unread else []
        self.parts["writes"] = read_times
