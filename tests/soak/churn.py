"""Changes of a cluster by a seed: topics, configs, partitions, ACLs, quotas, users and brokers' configs."""

import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from confluent_kafka import KafkaException
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    ResourcePatternType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialDeletion,
    UserScramCredentialUpsertion,
)

from warden.base.errors import WardenError
from warden.state.sources.kafka.login.connection import Connection, connect
from warden.state.sources.kafka.login.error_codes import NotDisclosed

__all__ = ["Churn"]

_SECONDS = 8
_BATCH = 100
_HOUR = 3600.0
_CONFIGS = {
    "retention.ms": ("60000", "604800000"),
    "cleanup.policy": ("compact", "delete", "compact,delete"),
    "min.insync.replicas": ("1", "2"),
    "segment.bytes": ("1048576", "2097152"),
}
_OF_BROKERS = {"log.cleaner.threads": ("1", "2"), "message.max.bytes": ("900000", "1000000")}


class Churn:
    """Changes a cluster whose brokers may be down: what fails may be done all the same, and the brokers tell later.

    Args:
        admin: A client of the cluster, as of `tests.soak.truth.read_truth`.
        bootstrap_servers: The cluster.
        random: Where all choices come from.
        topics: How many topics there are to be.

    Attributes:
        names: Topics that are there, as far as is known.
        attempted: How many topics were requested to be deleted.
        settled: Names that every replicator has seen: a deletion of one must be counted.
        changes: How many changes were done.
    """

    def __init__(self, admin: AdminClient, bootstrap_servers: str, random: random.Random, topics: int) -> None:
        self._admin, self._servers, self._random, self._topics = admin, bootstrap_servers, random, topics
        self._made = 0
        self.names: set[str] = set()
        self.settled: set[str] = set()
        self.attempted = self.changes = 0
        self._deletions: list[tuple[float, int, int]] = []  # when, attempted, confirmed of those that were settled

    def fill(self) -> None:
        """Make topics until there are as many as there are to be."""
        while len(self.names) < self._topics:
            self._create(min(_BATCH, self._topics - len(self.names)))

    def step(self) -> None:
        """Change something, of what keeps the number of topics about where it is to be."""
        low, high = len(self.names) < 0.98 * self._topics, len(self.names) > 1.02 * self._topics
        turn = self._random.random()
        if low or (turn < 0.2 and not high):
            self._create(self._random.randint(1, 40))
        elif high or turn < 0.4:
            self._delete(self._random.randint(1, 40))
        else:
            change: Callable[[], None] = self._random.choice(
                [self._alter, self._alter, self._grow, self._acl, self._quota, self._user, self._broker]
            )
            change()

    def settle(self, names: Iterable[str]) -> None:
        """Take in which topics the brokers have, and every replicator has seen."""
        self.names = set(names)
        self.settled = set(self.names)

    def deletions(self, now: float, late: float) -> tuple[int, int]:
        """Return how many topics at least and at most have been seen to go within the last hour.

        Args:
            now: By time.monotonic.
            late: After how many seconds at the most a deletion is seen.
        """
        least = sum(confirmed for when, _, confirmed in self._deletions if when > now - _HOUR)
        return least, sum(attempted for when, attempted, _ in self._deletions if when > now - _HOUR - late)

    def _create(self, count: int) -> None:
        new = []
        for _ in range(count):
            self._made += 1
            name = f"team{self._made % 50}.soak_{self._made}.v1"
            replicas = self._random.choice((1, 1, 1, 3))
            new.append(NewTopic(name, self._random.randint(1, 2), replicas, config=self._configs()))
        done, failed = self._done(self._admin.create_topics(new, request_timeout=_SECONDS))
        self.names |= {*done, *failed}

    def _delete(self, count: int) -> None:
        names = self._random.sample(sorted(self.names), min(count, len(self.names)))
        self.attempted += len(names)
        begun = time.monotonic()
        done, _ = self._done(self._admin.delete_topics(names, request_timeout=_SECONDS))
        self.names -= set(done)
        self._deletions.append((begun, len(names), len(self.settled & set(done))))
        self.settled -= set(names)

    def _alter(self) -> None:
        self._alter_configs("TOPIC", self._some(20), _CONFIGS)

    def _broker(self) -> None:
        self._alter_configs("BROKER", [self._random.choice(("1", "2", "3"))], _OF_BROKERS)

    def _alter_configs(self, kind: str, names: Iterable[str], configs: Mapping[str, Sequence[str]]) -> None:
        resources = []
        for name in names:
            key = self._random.choice(sorted(configs))
            value = self._random.choice((*configs[key], None))
            operation = AlterConfigOpType.DELETE if value is None else AlterConfigOpType.SET
            entry = ConfigEntry(key, value, incremental_operation=operation)
            resources.append(ConfigResource(kind, name, incremental_configs=[entry]))
        if resources:
            self._done(self._admin.incremental_alter_configs(resources, request_timeout=_SECONDS))

    def _grow(self) -> None:
        grown = [NewPartitions(name, self._random.randint(2, 4)) for name in self._some(5)]
        if grown:
            self._done(self._admin.create_partitions(grown, request_timeout=_SECONDS))

    def _acl(self) -> None:
        name, user = f"team{self._random.randint(0, 49)}.", f"User:user{self._random.randint(0, 19)}"
        pattern = ResourcePatternType.PREFIXED
        if self._random.random() < 0.5:
            allow = (AclOperation.READ, AclPermissionType.ALLOW)
            self._done(
                self._admin.create_acls([AclBinding("TOPIC", name, pattern, user, "*", *allow)], request_timeout=8)
            )
        else:
            every: list[Any] = ["TOPIC", None, "ANY", user, None, "ANY", "ANY"]
            self._done(self._admin.delete_acls([AclBindingFilter(*every)], request_timeout=_SECONDS))

    def _user(self) -> None:
        name = f"user{self._random.randint(0, 19)}"
        mechanism = self._random.choice((ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512))
        info = ScramCredentialInfo(mechanism, self._random.choice((4096, 8192)))
        alteration: Any = (
            UserScramCredentialUpsertion(name, info, b"secret")
            if self._random.random() < 0.6
            else UserScramCredentialDeletion(name, mechanism)
        )
        self._done(self._admin.alter_user_scram_credentials([alteration], request_timeout=_SECONDS))

    def _quota(self) -> None:
        """By kafka-python, since librdkafka alters none."""
        try:
            with connect(self._servers, timeout=_SECONDS) as connection:
                self._alter_quota(connection)
                self.changes += 1
        except (WardenError, NotDisclosed):
            pass

    def _alter_quota(self, connection: Connection) -> None:
        from kafka.protocol.admin import AlterClientQuotasRequest

        entry = AlterClientQuotasRequest.EntryData
        names = {"user": f"user{self._random.randint(0, 19)}", "client-id": "app"}
        kinds = self._random.choice((["user"], ["user", "client-id"]))
        limit, remove = float(self._random.randint(1000, 9000)), self._random.random() < 0.3
        entity = [entry.EntityData(entity_type=kind, entity_name=names[kind]) for kind in kinds]
        change = entry.OpData(key="producer_byte_rate", value=limit, remove=remove)
        request = AlterClientQuotasRequest(entries=[entry(entity=entity, ops=[change])], validate_only=False)
        connection.send(request, check=False)

    def _configs(self) -> dict[str, str]:
        keys = [key for key in _CONFIGS if self._random.random() < 0.3]
        return {key: self._random.choice(_CONFIGS[key]) for key in keys}

    def _some(self, most: int) -> list[str]:
        return self._random.sample(sorted(self.names), min(self._random.randint(1, most), len(self.names)))

    def _done(self, futures: dict[Any, Any]) -> tuple[list[Any], list[Any]]:
        """Wait for each, and return what was done and what was not, or not for certain."""
        done, failed = [], []
        for key, future in futures.items():
            try:
                future.result(2 * _SECONDS)
            except (KafkaException, TimeoutError):
                failed.append(key)
            else:
                done.append(key)
        self.changes += len(done)
        return done, failed
