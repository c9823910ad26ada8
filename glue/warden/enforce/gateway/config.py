"""The gateway's configuration: a YAML file that names an OPA, and the clusters whose clients it carries."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, ValidationInfo, model_validator

from warden.base.files.config_errors import Expected
from warden.base.files.config_model import (
    ConfigModel,
    ConfigPath,
    SecretReference,
    Text,
    build_validation_error,
    read_model,
)
from warden.base.tls.listener import ListenerTls, MappingRules
from warden.policy.failover.settings import FailoverSettings

__all__ = ["Account", "GatewayBroker", "GatewayCluster", "GatewayConfig", "GatewayOpa", "Mechanism", "read_config"]

Mechanism = Literal["SCRAM-SHA-256", "SCRAM-SHA-512"]
"""How the gateway's account logs in at brokers."""

UngovernedApi = Literal["UnregisterController"]
"""Changes that no decision is about, by the names of their APIs."""

_NAME = r"^(?!\.{1,2}\Z)[^\s/]+\Z"
_BROKER_HOST = r"^[^\s{}/:]*\{id\}[^\s{}/:]*\Z"
_ADDRESS = r"^([^\s,:]+|\[[^\]]+\]):\d+\Z"


def _require_host(host: str) -> str:
    try:
        host.encode("idna")
    except UnicodeError:
        raise build_validation_error(f"{host} is no host: write its name or its address") from None
    return host


def _require_address(address: str) -> str:
    host, _, port = address.rpartition(":")
    _require_host(host)
    if not 1 <= int(port) <= 65535:
        raise build_validation_error(f"{port} is no port: write host:port with a port from 1 to 65535")
    return address


Port = Annotated[int, Field(ge=1, le=65535), Expected("a port from 1 to 65535")]


class GatewayOpa(FailoverSettings):
    """How OPA is reached, and how much it is given at once.

    Args:
        timeout: Seconds that one call may take.
        in_flight: Calls at once: about as many as OPA has cores. What they leave waits.
    """

    timeout: Annotated[float, Field(ge=0.01)] = 2.0
    in_flight: Annotated[int, Field(ge=1, le=64), Expected("a number of calls")] = 4


class GatewayBroker(ConfigModel):
    """One broker of a cluster, and the gateway's port that stands for it.

    Args:
        id: Its number (``node.id``).
        address: ``host:port`` of its listener, as the gateway reaches it.
        port: The gateway's port for it; None where clients reach it by name (``sni``).
    """

    id: Annotated[int, Field(ge=0), Expected("the broker's node.id")]
    address: Annotated[str, Field(pattern=_ADDRESS), AfterValidator(_require_address), Expected("host:port")]
    port: Port | None = None

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


class Account(ConfigModel):
    """The gateway's own user at the brokers.

    It makes delegation tokens for clients with certificates (KIP-373), or finds out whose those of other clients are.

    Args:
        username: Its name, as of brokers' SCRAM credentials.
        password: Its password.
        mechanism: With which it and the tokens log in; the brokers' listener has it enabled.
        token_seconds: How long a token that it makes lasts; logins are renewed in time.
    """

    username: Text
    password: SecretReference
    mechanism: Annotated[Mechanism, Expected("SCRAM-SHA-256 or SCRAM-SHA-512")] = "SCRAM-SHA-256"
    token_seconds: Annotated[float, Field(ge=1, le=604800)] = 3600.0


class SniListener(ConfigModel):
    """One port for all brokers of a cluster: clients say by TLS which they mean (RFC 6066).

    Args:
        port: The gateway's port.
        broker_host: The name of each broker, with ``{id}`` where its number stands; the gateway's certificate has them
            all, and ``advertisedHost``, by which clients reach any.
    """

    port: Port
    broker_host: Annotated[str, Field(pattern=_BROKER_HOST), Expected("a host name with {id} in it")]

    def name(self, broker: int) -> str:
        """Return the name of a broker, in lower case."""
        return self.broker_host.replace("{id}", str(broker)).lower()


class GatewayCluster(ConfigModel):
    """A cluster whose clients go through the gateway.

    Args:
        name: Its name in OPA's data, policies and settings.
        advertised_host: The host that clients connect to.
        bind: The address that the gateway listens on.
        authentication: ``sasl`` where clients log in at the brokers' listener, ``tls`` where they have certificates and
            the gateway logs in for them, ``none`` where the listener takes everyone.
        principal_mapping_rules: Which principals certificates are: the brokers' ``ssl.principal.mapping.rules``.
        account: The gateway's user: with ``tls`` it makes tokens; with ``sasl`` it finds the owners of clients' tokens,
            which are refused where it is None.
        name_claim: The claim of OAUTHBEARER tokens that has the name: the brokers' ``sasl.oauthbearer.sub.claim.name``.
        local_address: The address from which the gateway connects to brokers: what their ACLs see as the client's host;
            None for the system's choice.
        sni: One port for all brokers; None where each has its own.
        tls: TLS from clients; None for none.
        upstream_tls: TLS to the brokers; None for none.
        deny_old_versions_as: What a denial is in versions of requests that have no text for it (DeleteTopics 1 to 4,
            DeleteRecords 0 and 1): the code that all clients know, or the one that KIP-201 wants there.
        undecided: What becomes of changes that no decision is about, by the name of their API: they pass, the log has
            them (as it does where this does not name them), or they are refused.
        brokers: Its brokers, all of them: clients reach no other.
    """

    name: Annotated[str, Field(pattern=_NAME), Expected("the cluster's name, without spaces and slashes")]
    advertised_host: Text
    bind: Text = "0.0.0.0"  # noqa: S104 - what a server is for
    authentication: Annotated[Literal["sasl", "tls", "none"], Expected("sasl, tls or none")]
    principal_mapping_rules: MappingRules = "DEFAULT"
    account: Account | None = None
    name_claim: Text = "sub"
    local_address: Annotated[Text, AfterValidator(_require_host)] | None = None
    sni: SniListener | None = None
    tls: ListenerTls | None = None
    upstream_tls: UpstreamTls | None = None
    deny_old_versions_as: Annotated[
        Literal["POLICY_VIOLATION", "UNKNOWN_SERVER_ERROR"], Expected("POLICY_VIOLATION or UNKNOWN_SERVER_ERROR")
    ] = "POLICY_VIOLATION"
    undecided: dict[UngovernedApi, Annotated[Literal["refuse", "log", "pass"], Expected("refuse, log or pass")]] = (
        Field(default_factory=dict)
    )
    brokers: Annotated[tuple[GatewayBroker, ...], Field(min_length=1), Expected("a list of brokers")]

    @model_validator(mode="after")
    def _check_certificates(self) -> Self:
        by_certificate = self.authentication == "tls"
        authorities = self.tls is not None and self.tls.client_ca_file is not None
        if by_certificate and (self.account is None or not authorities):
            raise build_validation_error(
                "clients log in by certificate (authentication: tls), which takes tls.clientCaFile, and an account of "
                "the gateway's that makes delegation tokens for them"
            )
        if not by_certificate and authorities:
            raise build_validation_error("tls.clientCaFile is for authentication: tls: write that, or leave it out")
        if self.authentication == "none" and self.account is not None:
            raise build_validation_error(
                "account is for authentication: tls or sasl: write one of them, or leave it out"
            )
        return self

    @model_validator(mode="after")
    def _check_ports(self) -> Self:
        if self.sni is not None and self.tls is None:
            raise build_validation_error(
                "sni is of TLS: give tls with a certificate for all names, or each broker a port"
            )
        for broker in self.brokers:
            if self.sni is None and broker.port is None:
                raise build_validation_error(f"broker {broker.id} has no port: give it one, or sni for all")
            if self.sni is not None and broker.port is not None:
                raise build_validation_error(f"broker {broker.id} has a port beside sni: leave one of them out")
        return self

    @model_validator(mode="after")
    def _check_distinct(self, info: ValidationInfo) -> Self:
        seen: set[Any] = set()
        for broker in self.brokers:
            if broker.id in seen:
                raise build_validation_error(f"broker {broker.id} is named twice: give each its own id")
            seen.add(broker.id)
        if info.context:
            for owner in (self.sni,) if self.sni else self.brokers:
                _claim(info.context.claims, ("port", str(owner.port)), f"port {owner.port} is taken twice", owner)
            _claim(info.context.claims, ("cluster", self.name), f"cluster {self.name} is named twice", self)
        return self

    @property
    def ports(self) -> list[int]:
        """The gateway's ports for this cluster."""
        return [self.sni.port] if self.sni else [broker.port for broker in self.brokers if broker.port is not None]

    def find_advertised_address(self, broker: int) -> tuple[str, int]:
        """Return where clients reach a broker; of one that the file does not name, a host that says so."""
        known = next((entry for entry in self.brokers if entry.id == broker), None)
        if known is None:  # .invalid is never resolved (RFC 2606), so that the client's own log tells what is missing
            return f"broker-{broker}-is-not-in-the-gateway-configuration.invalid", 1
        if self.sni is not None:
            return self.sni.name(broker), self.sni.port
        return self.advertised_host, known.port or 1


class ConnectionLimitSettings(ConfigModel):
    """Limits of one connection.

    Args:
        frame_bytes: Largest request and response, in bytes; brokers have ``socket.request.max.bytes``.
        decoded_bytes: Largest request that is decided, in bytes.
        connect_seconds: How long connecting to a broker may take.
        drain_seconds: How long requests under way may take to end when the gateway stops.
        wait_seconds: How long a request waits for its decision, where it does not say less itself (``timeoutMs``).
    """

    frame_bytes: Annotated[int, Field(ge=1024, le=2**31 - 1)] = 100 * 1024 * 1024
    decoded_bytes: Annotated[int, Field(ge=1024)] = 4 * 1024 * 1024
    connect_seconds: Annotated[float, Field(ge=0.1)] = 10.0
    drain_seconds: Annotated[float, Field(ge=0)] = 10.0
    wait_seconds: Annotated[float, Field(ge=0.1)] = 20.0


class GatewayConfig(ConfigModel):
    """A whole configuration file.

    Args:
        opa: The OPA that decides, or several.
        limits: Limits of each connection.
        workers: How many processes share the ports: one carries what one core can.
        clusters: The clusters.
    """

    opa: GatewayOpa = GatewayOpa()
    limits: ConnectionLimitSettings = ConnectionLimitSettings()
    workers: Annotated[int, Field(ge=1, le=256), Expected("a number of processes")] = 1
    clusters: Annotated[tuple[GatewayCluster, ...], Field(min_length=1), Expected("a list of clusters")]


def read_config(path: Path) -> GatewayConfig:
    """Read a configuration file.

    Raises:
        ConfigurationError: One line for each mistake.
    """
    return read_model(path, GatewayConfig, "YAML file with the gateway's clusters")


def _claim(claims: dict[Any, Any], key: tuple[str, ...], complaint: str, owner: ConfigModel) -> None:
    if claims.setdefault(key, owner) is not owner:
        raise build_validation_error(f"{complaint}: give each its own")
