"""Entries of configuration files that describe Kafka clusters."""

from math import ceil
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from warden.base.files.config_errors import Expected
from warden.base.files.config_model import ConfigModel, DirectoryPath
from warden.base.files.secret import Secret
from warden.state.sources.entry import Seconds, SourceEntry
from warden.state.sources.kafka.login.client_properties import ClientProperties
from warden.state.sources.kafka.login.connection import Connection, connect, open_consumer
from warden.state.sources.labels.entry import LabelEntry

if TYPE_CHECKING:
    from warden.state.sources.kafka.source import KafkaSource

__all__ = ["KafkaCluster", "KafkaEntry"]

_NAME = r"^(?!\.{1,2}\Z)[^\s/]+\Z"
_RELEASE = r"^\d+\.\d+(\.\d+)?\Z"
_SERVERS = r"^([^\s,:]+:\d+(\s*,\s*[^\s,:]+:\d+)*|\[[^\]]+\]:\d+)\Z"


class KafkaCluster(ConfigModel):
    """A live cluster and how to reach it; holds no secret.

    Args:
        name: Its name in OPA's data, policies, settings and reports.
        bootstrap_servers: ``host:port``, several separated by commas.
        properties: Kafka's client properties; secrets by reference.
        sees: ``all`` states that the principal sees all topics, where it may not read the ACLs that would show it; None
            leaves that to its rights.
    """

    name: Annotated[str, Field(pattern=_NAME), Expected("the cluster's name, without spaces and slashes")]
    bootstrap_servers: Annotated[str, Field(pattern=_SERVERS), Expected("host:port, several with commas")]
    properties: ClientProperties = Field(default_factory=dict)
    sees: Annotated[Literal["all"] | None, Expected("all, or nothing")] = None

    def read_security(self) -> dict[str, str]:
        """Return the client properties, with the secrets as they are now.

        Raises:
            ConfigurationError: A secret cannot be read.
        """
        return {name: value.read() if isinstance(value, Secret) else value for name, value in self.properties.items()}


class KafkaEntry(KafkaCluster, SourceEntry):
    """A cluster to replicate, and how it is read.

    Args:
        activity_interval: As ``interval``, for groups with their offsets and latest writes, which change all the time.
        describe_per_poll: Topics whose configs are described at one poll; with more topics than that, a change of
            configs alone is seen some polls later.
        timeout: Seconds for a connection, and for each request.
        assume_no_deletions: As ``assume_none`` of `warden.state.sources.kafka.live.deletions.DeletionCounter`.
        client_files: A directory of applications' own properties files; None where there is none.
        client_configs: The topic that client configs are stored in; None where none are.
        owners: Where labels of topics come from; None for those of the whole file.
        release: The release of its brokers, such as ``4.3``; None for what they tell.
    """

    activity_interval: Seconds = Field(default_factory=lambda values: max(5.0, values["interval"]))
    describe_per_poll: Annotated[int, Field(ge=1), Expected("a whole number of at least 1, such as 1000")] = Field(
        default_factory=lambda values: ceil(1000 * values["interval"])
    )
    timeout: Seconds = 15.0
    assume_no_deletions: bool = False
    client_files: DirectoryPath | None = None
    client_configs: Annotated[str, Field(pattern=r"^[a-zA-Z0-9._-]{1,249}\Z"), Expected("a topic's name")] | None = None
    owners: LabelEntry | None = None
    release: Annotated[str, Field(pattern=_RELEASE), Expected('a release in quotes, such as "4.3"')] | None = None

    @property
    def root(self) -> tuple[str, ...]:
        """The place that the cluster's state has in OPA's data."""
        return ("clusters", self.name)

    def build_source(self, owners: LabelEntry | None = None) -> "KafkaSource":
        """Return the source.

        Args:
            owners: Where labels come from if the entry does not say so.
        """
        from warden.state.sources.kafka.client_configs.topic import ClientConfigTopic, StoredClientConfigs
        from warden.state.sources.kafka.client_configs.watched_client_files import ClientFiles
        from warden.state.sources.kafka.source import KafkaSource, PartBeside

        labels = self.owners or owners
        beside: list[PartBeside] = []
        if self.client_files:
            beside.append(ClientFiles(self.client_files))
        if self.client_configs:
            topic = ClientConfigTopic(self.client_configs, self.open_consumer, timeout=self.timeout)
            beside.append(StoredClientConfigs(topic))
        return KafkaSource(self, labels.build_labelling(self.open_consumer) if labels else None, beside=beside)

    def connect(self) -> Connection:
        """Return a new connection; raises as `warden.state.sources.kafka.login.connection.connect`."""
        return connect(self.bootstrap_servers, security=self.read_security(), timeout=self.timeout)

    def open_consumer(self) -> Any:
        """Return a new consumer; see `warden.state.sources.kafka.login.connection.open_consumer`."""
        return open_consumer(self.bootstrap_servers, self.read_security(), self.timeout)
