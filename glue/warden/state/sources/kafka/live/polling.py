"""A cluster polled over one connection: all parts of its state but labels and totals."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from warden.base.errors import KafkaError, KafkaUnreachable
from warden.state.sources.kafka.live.polled_topics import LiveTopics
from warden.state.sources.kafka.live.position import MetadataLogPosition
from warden.state.sources.kafka.live.repeated_requests import AnswerDigests
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import DENIED_CODES, NO_AUTHORIZER, NotDisclosed, format_reason
from warden.state.sources.kafka.read.acls import build_acls_request, parse_acls
from warden.state.sources.kafka.read.brokers import Cluster, build_broker_documents, read_cluster
from warden.state.sources.kafka.read.catalog import CatalogReader
from warden.state.sources.kafka.read.collect import select_cluster_defaults
from warden.state.sources.kafka.read.config_resources import ConfigResourceReader
from warden.state.sources.kafka.read.configs import BROKER, ConfigEntry, build_configs_request, iter_described
from warden.state.sources.kafka.read.consumers import read_consumers
from warden.state.sources.kafka.read.features import read_features
from warden.state.sources.kafka.read.last_write_times import UNKNOWN, read_writes
from warden.state.sources.kafka.read.learnt_keys import find_described_topic
from warden.state.sources.kafka.read.quotas import build_quotas_request, parse_quotas
from warden.state.sources.kafka.read.users import build_users_request, collect_users, parse_scram_users
from warden.state.sources.kafka.read.visibility import (
    PARTS_OF_VISIBLE_TOPICS,
    describe_unseen,
    make_random_name,
    sees_all_topics,
    select_hidden_topics,
    select_present_topics,
)

__all__ = ["LiveCluster"]

_BROKERS, _WRITES = 10, 2000  # whose configs are described at one poll; topics whose latest write is requested


class LiveCluster:
    """The state of a cluster as it was at the last poll.

    Args:
        connection: The cluster.
        budget: Topics whose configs are described at one poll.
        position: How far the cluster's metadata was followed before.
        stated: Whether it is stated that the principal sees all topics, where its rights do not show it.
        release: The release that somebody states.

    Attributes:
        topics: The topics.
        parts: The contract's other parts, without totals; one that is not known is not there.
        gaps: Sentences about what is not known.
        unknown: The contract's parts that the principal's rights do not let it know, or not all of it.
        id: The cluster's id.
    """

    def __init__(
        self,
        connection: Connection,
        budget: int,
        position: MetadataLogPosition | None = None,
        *,
        stated: bool = False,
        release: str | None = None,
    ) -> None:
        self._connection = connection
        self._position, self._stated = position or MetadataLogPosition(), stated
        self._node: int | None = None
        self._denied: set[str] = set()
        self._sees_all = False
        self._compared: Any = None  # the ACLs for which the principal was found to see all topics
        self._repeated = AnswerDigests(connection)
        self.topics = LiveTopics(connection, self._repeated, budget)
        self.parts: dict[str, Any] = {}
        self.id = ""
        self._missing: dict[str, list[str]] = {}
        self._broker_configs: dict[int, Mapping[str, ConfigEntry]] = {}
        self._broker_problems: dict[int, str] = {}
        self._refused_brokers: set[int] = set()
        self._available_brokers: set[int] = set()
        self._next_broker = 0
        self._scram: dict[str, Any] | None = None
        self._config_resources = ConfigResourceReader()
        self._catalog = CatalogReader(connection, self._repeated.ask, self._repeated.forget, release)
        self._writes: dict[str, Any] = {}
        self._next_write = 0

    @property
    def gaps(self) -> list[str]:
        """Sentences about what is not known, sorted."""
        of_topics = {f"{path}: {why}" for path, why in self.topics.gaps.items()}
        return sorted({line for part, lines in self._missing.items() if part != "scram" for line in lines} | of_topics)

    @property
    def unknown_parts(self) -> frozenset[str]:
        """Parts of the contract that the principal's rights do not let it know, or not all of it."""
        return frozenset((self._denied | (set() if self._sees_all else PARTS_OF_VISIBLE_TOPICS)) - {"scram"})

    def select_hidden(self, names: Iterable[str]) -> set[str]:
        """Return which of some topics the principal may not see, whether or not they exist."""
        return select_hidden_topics(self._connection, names, self._node)

    def select_present(self, names: Iterable[str]) -> set[str]:
        """Return which of some topics are there now and shown to the principal."""
        return select_present_topics(self._connection, names, self._node)

    @property
    def decoded_count(self) -> int:
        """How many answers differed from the ones before, since the beginning."""
        return self._repeated.decoded_count

    @property
    def all_topics(self) -> Mapping[str, dict[str, Any]]:
        """All topics, without labels."""
        return self.topics.topics

    def poll(self, *, activity: bool) -> dict[str, dict[str, Any] | None]:
        """Poll once; return the topics that changed, None for those that are gone.

        Args:
            activity: Whether to poll what is requested less often too: groups with their offsets, latest writes,
                and features.

        Raises:
            KafkaUnreachable: No broker can be reached.
            KafkaError: The cluster does not tell its brokers or topics.
        """
        cluster = read_cluster(self._connection)
        self.id = cluster.id
        if self._node not in {broker.id for broker in cluster.live_brokers}:
            self._node = self._position.choose_broker(self._connection, cluster)
        try:
            changed = self.topics.poll(cluster.controller, self._node)
        except NotDisclosed as refused:
            raise KafkaError(
                f"the cluster at {self._connection.bootstrap_servers} does not tell its topics ({refused}): "
                "check the right to describe them"
            ) from None
        self._poll_brokers(cluster)
        self._position.advance(self._connection, cluster, self._node)
        self._poll_part("quotas", build_quotas_request, parse_quotas)
        self._poll_users()
        self._poll_config_resources()
        if activity:
            self._poll_features()
            self._poll_groups(cluster)
            self._poll_writes()
            self._poll_catalog(cluster)
        self._poll_part("acls", build_acls_request, parse_acls)
        self._poll_rights()
        self.parts.setdefault("clientConfigs", {})
        return changed

    def _poll_part(self, part: str, request: Callable[[], Any], read: Callable[[Any], Any]) -> None:
        """Poll a part that is one response; where it is refused it is not there."""
        try:
            response = self._repeated.ask(part, request(), self._node)
            if response is None:
                return
            if response.error_code:
                raise NotDisclosed(format_reason(response.error_code, response.error_message), response.error_code)
            self.parts[part] = read(response)
            self._mark_known(part)
        except NotDisclosed as refused:
            self._record_refusal(part, refused)
            if refused.code == NO_AUTHORIZER:
                self.parts[part] = {}

    def _mark_known(self, part: str) -> None:
        self._missing[part] = []
        self._denied.discard(part)

    def _record_refusal(self, part: str, refused: NotDisclosed) -> None:
        self._missing[part] = [f"{part}: {refused}"]
        self.parts.pop(part, None)
        (self._denied.add if refused.denied else self._denied.discard)(part)

    def _poll_rights(self) -> None:
        """Whether all topics are seen. Last: rights that went before topics or offsets were listed show here."""
        acls = self.parts.get("acls")
        if acls is not None and self._compared is acls:
            self._sees_all = not self.select_hidden([make_random_name()])
        else:
            seen = self.topics.topics
            self._sees_all = sees_all_topics(self._connection, acls, seen, self._node, stated=self._stated)
        self._compared = acls if self._sees_all else None
        self._missing["rights"] = [] if self._sees_all else [describe_unseen(acls)]

    def _poll_brokers(self, cluster: Cluster) -> None:
        available = [broker for broker in cluster.brokers if not broker.fenced]
        new = [broker for broker in available if broker.id not in self._broker_configs]
        turn = [available[(self._next_broker + step) % len(available)] for step in range(min(_BROKERS, len(available)))]
        self._next_broker += len(turn)
        for node in dict.fromkeys(broker.id for broker in [*new, *turn]):
            if node not in self._broker_configs:
                self._repeated.forget(("broker", node))
            try:
                response = self._repeated.ask(("broker", node), build_configs_request(BROKER, [str(node)]), node)
            except (NotDisclosed, KafkaUnreachable) as error:
                self._broker_problems[node] = str(error)
                continue
            self._broker_problems.pop(node, None)
            for resource in () if response is None else iter_described(response):
                self._broker_configs.pop(node, None)
                self._refused_brokers.discard(node)
                if not resource.error:
                    self._broker_configs[node] = resource.configs
                    continue
                self._broker_problems[node] = resource.error
                if resource.code in DENIED_CODES:
                    self._refused_brokers.add(node)
        self._available_brokers = {broker.id for broker in available}
        ids = {broker.id for broker in cluster.brokers}
        self._broker_configs = {node: configs for node, configs in self._broker_configs.items() if node in ids}
        self._refused_brokers &= ids
        fenced = dict.fromkeys(ids - self._available_brokers, "the broker is fenced, so it cannot be read")
        problems = {node: why for node, why in {**self._broker_problems, **fenced}.items() if node in ids}
        self._missing["brokers"] = [f"brokers.{node}.configs: {why}" for node, why in problems.items()]
        self.parts["clusterSize"] = len(cluster.brokers)
        self.parts["brokers"] = build_broker_documents(cluster, self._broker_configs)
        of_brokers = {"brokers", "defaults"}
        self._denied = self._denied | of_brokers if self._refused_brokers else self._denied - of_brokers
        self._missing["defaults"] = []
        defaults = select_cluster_defaults(self._broker_configs, self.topics.inherited, self._missing["defaults"])
        self.parts.pop("defaults", None)
        if defaults is not None:
            self.parts["defaults"] = defaults

    def _poll_users(self) -> None:
        """Who can log in hangs on SCRAM's users, and on what listeners take."""
        self._poll_part("scram", build_users_request, parse_scram_users)
        scram = self.parts.pop("scram", self._scram if not self._missing["scram"] else None)
        self._scram = scram
        self.parts.pop("users", None)
        denied = "scram" in self._denied or bool(self._refused_brokers)
        (self._denied.add if denied else self._denied.discard)("users")
        self._missing["users"] = [line.replace("scram", "users", 1) for line in self._missing["scram"]]
        if scram is not None and self._available_brokers - self._broker_configs.keys():
            self._missing["users"] = ["users: not every broker tells its listeners"]
        elif scram is not None:
            try:
                self.parts["users"] = collect_users(self._broker_configs.values(), scram)
            except NotDisclosed as unknown:
                self._missing["users"] = [f"users: {unknown}"]

    def _poll_config_resources(self) -> None:
        self.parts.pop("resourceConfigs", None)
        try:
            self.parts["resourceConfigs"] = self._config_resources.read(
                lambda key, request: self._repeated.ask(key, request, self._node)
            )
            self._mark_known("resourceConfigs")
        except NotDisclosed as refused:
            self._record_refusal("resourceConfigs", refused)
            self._repeated.forget("configResources")
            self._repeated.forget("resourceConfigs")

    def _poll_catalog(self, cluster: Cluster) -> None:
        self.parts.pop("catalog", None)
        if (catalog := self._catalog.read(cluster, find_described_topic(self.topics.topics))) is not None:
            self.parts["catalog"] = catalog
        self._missing["catalog"] = self._catalog.gaps

    def _poll_features(self) -> None:
        """Decoded each time: the answer is small, and does not begin as those do that `AnswerDigests` can ask for."""
        try:
            self.parts["features"] = read_features(self._connection)
            self._mark_known("features")
        except NotDisclosed as refused:
            self._record_refusal("features", refused)

    def _poll_groups(self, cluster: Cluster) -> None:
        gaps: list[str] = []
        read = read_consumers(self._connection, cluster, gaps)
        # Kafka leaves out in silence the groups, and of a group the offsets, that the principal may not see. Looked at
        # again: the right may have gone meanwhile.
        denied = read.denied or not read_cluster(self._connection).describes_cluster
        for part, entries in (("groups", read.groups), ("consumers", read.consumers)):
            self.parts.pop(part, None)
            (self._denied.add if denied else self._denied.discard)(part)
            if entries is not None and not denied:
                self.parts[part] = entries
        self._missing["groups"] = gaps

    def _poll_writes(self) -> None:
        names = sorted(self.topics.topics)
        turn = [names[(self._next_write + step) % len(names)] for step in range(min(_WRITES, len(names)))]
        self._next_write = (self._next_write + len(turn)) % max(1, len(names))
        try:
            self._writes |= read_writes(self._connection, self.topics.leaders, turn)
        except NotDisclosed as refused:
            self._missing["writes"] = [f"writes: {refused}"]
            self.parts.pop("writes", None)
            return
        present = self.topics.topics.keys()
        self._writes = {name: latest for name, latest in self._writes.items() if name in present}
        read_times = {name: latest for name, latest in self._writes.items() if latest is not UNKNOWN}
        unread = len(names) - len(read_times)
        self._missing["writes"] = [f"writes: not known of {unread} topics yet"] if unread else []
        self.parts["writes"] = read_times
