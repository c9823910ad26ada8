"""The gateway's configuration: a YAML file that names an OPA, and the clusters whose clients it carries."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationInfo, model_validator

from warden.files.config_errors import Expected
from warden.files.config_model import ConfigModel, ConfigPath, Text, invalid, read_model
from warden.opa.settings import OpaSettings

__all__ = ["Broker", "Config", "GatewayCluster", "GatewayOpa", "read_config"]

_NAME = r"^(?!\.{1,2}\Z)[^\s/]+\Z"
_ADDRESS = r"^([^\s,:]+|\[[^\]]+\]):\d+\Z"

Port = Annotated[int, Field(ge=1, le=65535), Expected("a port from 1 to 65535")]


class GatewayOpa(OpaSettings):
    """How OPA is reached, and how long a client may wait for it.

    Args:
        timeout: Seconds that one request's decisions may take; then the request is denied.
    """

    timeout: Annotated[float, Field(ge=0.01)] = 2.0


class Broker(ConfigModel):
    """One broker of a cluster, and the gateway's port that stands for it.

    Args:
        id: Its number (``node.id``).
        address: ``host:port`` of its listener, as the gateway reaches it.
        port: The gateway's port for it.
    """

    id: Annotated[int, Field(ge=0), Expected("the broker's node.id")]
    address: Annotated[str, Field(pattern=_ADDRESS), Expected("host:port")]
    port: Port

    @property
    def host_and_port(self) -> tuple[str, int]:
        """Its address in two."""
        host, _, port = self.address.rpartition(":")
        return host.strip("[]"), int(port)


class UpstreamTls(ConfigModel):
    """TLS to the brokers.

    Args:
        ca_file: PEM file of certificates to trust; None for the system's.
    """

    ca_file: ConfigPath | None = None


class ListenerTls(ConfigModel):
    """TLS from the clients.

    Args:
        certificate_file: PEM file of the gateway's certificate with its chain.
        key_file: PEM file of its key.
    """

    certificate_file: ConfigPath
    key_file: ConfigPath

    @model_validator(mode="before")
    @classmethod
    def _without_client_certificates(cls, value: Any) -> Any:
        if isinstance(value, dict) and {"clientCaFile", "clientAuth"} & value.keys():
            raise invalid(
                "clients cannot log in by certificate through the gateway: the broker would see the gateway in their "
                "place. Have them log in by SASL, and leave clientCaFile and clientAuth out"
            )
        return value


class GatewayCluster(ConfigModel):
    """A cluster whose clients go through the gateway.

    Args:
        name: Its name in OPA's data, policies and settings.
        advertised_host: The host that clients connect to.
        bind: The address that the gateway listens on.
        authentication: ``sasl`` where clients log in at the brokers' listener, ``none`` where it takes everyone.
        name_claim: The claim of OAUTHBEARER tokens that has the name: the brokers' ``sasl.oauthbearer.sub.claim.name``.
        local_address: The address from which the gateway connects to brokers: what their ACLs see as the client's host;
            None for the system's choice.
        tls: TLS from clients; None for none.
        upstream_tls: TLS to the brokers; None for none.
        brokers: Its brokers, all of them: clients reach no other.
    """

    name: Annotated[str, Field(pattern=_NAME), Expected("the cluster's name, without spaces and slashes")]
    advertised_host: Text
    bind: Text = "0.0.0.0"  # noqa: S104 - what a server is for
    authentication: Annotated[Literal["sasl", "none"], Expected("sasl or none")]
    name_claim: Text = "sub"
    local_address: Text | None = None
    tls: ListenerTls | None = None
    upstream_tls: UpstreamTls | None = None
    brokers: Annotated[tuple[Broker, ...], Field(min_length=1), Expected("a list of brokers")]

    @model_validator(mode="after")
    def _apart(self, info: ValidationInfo) -> Self:
        seen: set[Any] = set()
        for broker in self.brokers:
            if broker.id in seen:
                raise invalid(f"broker {broker.id} is named twice: give each its own id")
            seen.add(broker.id)
            if info.context:
                _claim(info.context.claims, ("port", str(broker.port)), f"port {broker.port} is taken twice", broker)
        if info.context:
            _claim(info.context.claims, ("cluster", self.name), f"cluster {self.name} is named twice", self)
        return self

    def advertised(self, broker: int) -> tuple[str, int]:
        """Return where clients reach a broker; of one that the file does not name, a host that says so."""
        port = next((one.port for one in self.brokers if one.id == broker), None)
        if port is None:  # .invalid is never resolved (RFC 2606), so that the client's own log tells what is missing
            return f"broker-{broker}-is-not-in-the-gateway-configuration.invalid", 1
        return self.advertised_host, port


class LimitSettings(ConfigModel):
    """Limits of one connection.

    Args:
        frame_bytes: Largest request and response, in bytes; brokers have ``socket.request.max.bytes``.
        decoded_bytes: Largest request that is decided, in bytes.
        connect_seconds: How long connecting to a broker may take.
        drain_seconds: How long requests under way may take to end when the gateway stops.
    """

    frame_bytes: Annotated[int, Field(ge=1024, le=2**31 - 1)] = 100 * 1024 * 1024
    decoded_bytes: Annotated[int, Field(ge=1024)] = 4 * 1024 * 1024
    connect_seconds: Annotated[float, Field(ge=0.1)] = 10.0
    drain_seconds: Annotated[float, Field(ge=0)] = 10.0


class Config(ConfigModel):
    """A whole configuration file.

    Args:
        opa: The OPA that decides.
        limits: Limits of each connection.
        clusters: The clusters.
    """

    opa: GatewayOpa = GatewayOpa()
    limits: LimitSettings = LimitSettings()
    clusters: Annotated[tuple[GatewayCluster, ...], Field(min_length=1), Expected("a list of clusters")]


def read_config(path: Path) -> Config:
    """Read a configuration file.

    Raises:
        ConfigurationError: One line for each mistake.
    """
    return read_model(path, Config, "YAML file with the gateway's clusters")


def _claim(claims: dict[Any, Any], key: tuple[str, ...], complaint: str, owner: ConfigModel) -> None:
    if claims.setdefault(key, owner) is not owner:
        raise invalid(f"{complaint}: give each its own")
