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

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warden.errors import ConfigurationError
from warden.replicate.secret import Secret
from warden.yaml_files import read_yaml

__all__ = ["ListedCluster", "read_clusters"]

_FIELDS = {"name", "bootstrapServers", "commandConfig", "properties"}


@dataclass(frozen=True)
class ListedCluster:
    """A live cluster and how to reach it; holds no secret.

    Args:
        name: Its name in policies, settings and reports.
        bootstrap_servers: ``host:port``, several separated by commas.
        command_config: A file of Kafka's client properties, or None.
        properties: Kafka's client properties; these go before those of the file.
    """

    name: str
    bootstrap_servers: str
    command_config: Path | None = None
    properties: Mapping[str, str | Secret] = field(default_factory=dict)

    def security(self) -> dict[str, str]:
        """Return Kafka's client properties with their secrets.

        Raises:
            ConfigurationError: A file cannot be read, or a variable is not set.
        """
        from warden.kafka.security import read_properties

        known = read_properties(self.command_config) if self.command_config else {}
        own = {key: value.read() if isinstance(value, Secret) else value for key, value in self.properties.items()}
        return known | own


def read_clusters(path: Path) -> list[ListedCluster]:
    """Read a list of clusters.

    Raises:
        ConfigurationError: The file cannot be read, or does not say what it should; the text names the place.
    """
    document = read_yaml(path, ConfigurationError, "YAML file with clusters").value
    listed = document.get("clusters") if isinstance(document, dict) else None
    if not isinstance(listed, list) or not listed:
        raise ConfigurationError(
            f"{path}: clusters is no list: write `clusters:` with a name and bootstrapServers each"
        )
    found = [_cluster(f"{path}: clusters.{number}", one) for number, one in enumerate(listed)]
    names = [one.name for one in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigurationError(f"{path}: the cluster {twice[0]} is there twice: give each a name of its own")
    return found


def _cluster(place: str, document: Any) -> ListedCluster:
    if not isinstance(document, dict):
        raise ConfigurationError(f"{place}: not a mapping: write name and bootstrapServers")
    if unknown := sorted(set(map(str, document)) - _FIELDS):
        raise ConfigurationError(f"{place}.{unknown[0]} is not known: write one of {', '.join(sorted(_FIELDS))}")
    for name in ("name", "bootstrapServers"):
        if not isinstance(document.get(name), str) or not document[name]:
            raise ConfigurationError(f"{place}.{name} is missing or no text: give it")
    properties = document.get("properties") or {}
    if not isinstance(properties, dict):
        raise ConfigurationError(f"{place}.properties is not a mapping: write Kafka's client properties")
    config = document.get("commandConfig")
    return ListedCluster(
        document["name"],
        document["bootstrapServers"],
        Path(config) if config else None,
        {str(key): _value(f"{place}.properties.{key}", value) for key, value in properties.items()},
    )


def _value(place: str, value: Any) -> str | Secret:
    if isinstance(value, dict) and len(value) == 1 and set(value) <= {"env", "file"}:
        return Secret(place, env=value.get("env"), file=Path(value["file"]) if "file" in value else None)
    if isinstance(value, dict | list) or value is None:
        raise ConfigurationError(f"{place} is neither a text nor a secret: write {{env: NAME}} or {{file: PATH}}")
    return str(value).lower() if isinstance(value, bool) else str(value)
