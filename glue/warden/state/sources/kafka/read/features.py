"""Features that a cluster has finalised (KIP-584): levels by name, as ApiVersions tells them."""

from typing import Any

from warden.base.version import __version__
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NotDisclosed

__all__ = ["read_features", "read_metadata_offset", "read_supported"]

_NOT_KNOWN = -1  # finalized_features_epoch, KIP-584


def read_features(connection: Connection) -> dict[str, int]:
    """Return the contract's ``features``: the level of each that is not 0, such as ``metadata.version``.

    Raises:
        NotDisclosed: The cluster does not tell them (before Kafka 2.7).
    """
    response = _read_versions(connection, None)
    if response.finalized_features_epoch == _NOT_KNOWN:
        raise NotDisclosed("this broker does not know them")
    levels = {str(feature.name): int(feature.max_version_level) for feature in response.finalized_features or ()}
    return dict(sorted(levels.items()))


def read_supported(connection: Connection, node: int) -> dict[str, int]:
    """Return the highest level of each feature that a broker can run, finalised or not.

    Raises:
        NotDisclosed: The broker does not tell them (before Kafka 2.7).
        KafkaUnreachable: It does not answer.
    """
    supported = _read_versions(connection, node).supported_features or ()
    return {str(feature.name): int(feature.max_version) for feature in supported}


def read_metadata_offset(connection: Connection, node: int) -> int | None:
    """Return how far a broker has followed the metadata log: KRaft's brokers tell it as the features' epoch.

    (``KRaftMetadataCache.features``.) None where the broker does not tell it.

    Raises:
        KafkaUnreachable: It does not answer.
    """
    try:
        epoch = int(_read_versions(connection, node).finalized_features_epoch)
    except NotDisclosed:
        return None
    return None if epoch == _NOT_KNOWN else epoch


def _read_versions(connection: Connection, node: int | None) -> Any:
    from kafka.protocol.metadata import ApiVersionsRequest

    request = ApiVersionsRequest(client_software_name="warden", client_software_version=__version__, min_version=3)
    return connection.send(request, node)
