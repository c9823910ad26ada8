"""A list of live clusters, as YAML; secrets are named in it, never written.

    clusters:
      - name: prod-eu
        bootstrapServers: b1.example:9093,b2.example:9093
        commandConfig: /etc/warden/prod-eu.properties       # Kafka's client properties, or:
        properties:
          security.protocol: SASL_SSL
          sasl.mechanism: SCRAM-SHA-512
          sasl.jaas.config: {file: /run/secrets/prod-eu.jaas}   # or {env: PROD_EU_JAAS}

Files and variables are read where the cluster is read, on Spark's executors.
"""

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationInfo, model_validator

from warden.base.files.config_errors import Expected
from warden.base.files.config_model import ConfigModel, ConfigPath, build_validation_error, read_model
from warden.state.sources.kafka.entry import KafkaCluster

__all__ = ["ListedCluster", "read_clusters"]


class ListedCluster(KafkaCluster):
    """A live cluster and how to reach it; holds no secret.

    Args:
        command_config: A file of Kafka's client properties, or None; ``properties`` go before those of the file.
    """

    command_config: ConfigPath | None = None

    @model_validator(mode="after")
    def _check_distinct(self, info: ValidationInfo) -> Self:
        if info.context and info.context.claims.setdefault((self.name,), self) is not self:
            raise build_validation_error(f"cluster {self.name} is named twice: give each its own name")
        return self

    def read_security(self) -> dict[str, str]:
        """Return Kafka's client properties with their secrets.

        Raises:
            ConfigurationError: A file cannot be read, or a variable is not set.
        """
        from warden.state.sources.kafka.login.security import read_properties

        common = read_properties(self.command_config) if self.command_config else {}
        return common | super().read_security()


class _ClusterList(ConfigModel):
    clusters: Annotated[
        tuple[ListedCluster, ...], Field(min_length=1), Expected("a list with a name and bootstrapServers each")
    ]


def read_clusters(path: Path) -> list[ListedCluster]:
    """Read a list of clusters.

    Raises:
        ConfigurationError: The file cannot be read, or one line for each mistake in it.
    """
    return list(read_model(path, _ClusterList, "YAML file with clusters").clusters)
