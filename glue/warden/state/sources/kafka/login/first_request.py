"""The first request to a cluster: which servers, by what login, and in one sentence why none of them answers."""

import logging
import os
import re
import time
from collections.abc import Mapping
from typing import Any

from warden.base.errors import ConfigurationError, KafkaError, KafkaUnreachable, WardenError
from warden.base.extras import check_extras
from warden.state.sources.kafka.login.security import build_client_options

__all__ = ["build_refusal", "close_client", "describe_error", "prepare_options", "try_bootstrap_servers"]

_DISCONNECTED = "socket disconnected"


def prepare_options(bootstrap_servers: str, security: Mapping[str, str] | None) -> dict[str, Any]:
    """Return kafka-python's options for these servers and properties, once the login's first token or ticket is there.

    Args:
        bootstrap_servers: ``host:port``, several separated by commas.
        security: Kafka's client properties, see `warden.state.sources.kafka.login.security`.

    Raises:
        ConfigurationError: Either is wrong, or kafka-python is missing.
        KafkaError: The identity provider gives no token, or Kerberos no ticket.
    """
    check_extras("kafka")
    _quieten_logging()
    options = build_client_options({**(security or {}), "bootstrap.servers": bootstrap_servers})
    servers = _parse_servers(bootstrap_servers)
    for name in ("sasl_oauth_token_provider", "sasl_kerberos_service_name"):
        if name in options:
            options[name].fetch()  # here its errors are sentences
    return {"bootstrap_servers": servers, "client_id": "warden", **options}


def try_bootstrap_servers(client: Any, bootstrap_servers: str, deadline: float, request: Any, unfit: str) -> Any:
    """Try each bootstrap server once, to learn why it fails: kafka-python's bootstrap repeats until its time is up.

    The time that is left is shared evenly by the servers that are left, so that one that hangs hides no other. The one
    that answers is the client's only bootstrap server from then on.

    Args:
        client: kafka-python's ``KafkaNetClient``; its I/O thread is started.
        bootstrap_servers: What it was made with, for messages.
        deadline: Until when an answer must be there, by ``time.monotonic``.
        request: What to send.
        unfit: What a server is that does not know the request, and what to do.

    Raises:
        ConfigurationError: A server does not know the request.
        KafkaUnreachable: No server answers.
        KafkaError: The login is refused, or every server closes the connection while it is made.
    """
    from kafka import errors

    manager = client._manager  # noqa: SLF001 - nothing public tries one server
    client._net.start()  # noqa: SLF001 - nor starts it

    def compute_milliseconds(until: float) -> float:
        return max(1.0, (until - time.monotonic()) * 1000)

    async def attempt(node: Any, until: float) -> Any:
        connection = manager.get_connection(node, timeout_ms=compute_milliseconds(until), refresh_metadata_on_err=False)
        await connection
        return await connection.send_request(request, request_timeout_ms=compute_milliseconds(until))

    reasons, disconnected = [], []
    servers = manager.cluster.bootstrap_brokers()
    for done, server in enumerate(servers):
        begun = time.monotonic()
        try:
            answer = manager.run(attempt, server.node_id, begun + (deadline - begun) / (len(servers) - done))
        except errors.IncompatibleBrokerVersion as error:
            raise ConfigurationError(f"{server.host}:{server.port} {unfit}") from error
        except errors.SaslAuthenticationFailedError as error:
            raise build_refusal(bootstrap_servers, error) from error
        except (errors.KafkaError, OSError) as error:
            reasons.append(f"{server.host}:{server.port}: {describe_error(error)}")
            if _DISCONNECTED in str(error) and manager.config["sasl_mechanism"]:
                disconnected.append(error)
        else:
            manager.cluster._bootstrap_brokers = {server.node_id: server}  # noqa: SLF001 - else its own takes any, at random
            return answer
    # A refused login: kafka-python drops the broker's last answer when the connection closes right behind it.
    if disconnected and len(disconnected) == len(reasons):
        raise build_refusal(bootstrap_servers, disconnected[0]) from disconnected[0]
    login = ", the login" if disconnected else ""
    raise KafkaUnreachable(
        f"no Kafka broker can be reached ({'; '.join(reasons)}): check the address{login}, that the cluster is up, "
        "and that security.protocol fits the port"
    )


def close_client(client: Any) -> None:
    """Close a client's sockets and end its I/O thread."""
    client.close()
    client._net.stop(timeout_ms=2000)  # noqa: SLF001 - nothing public stops it


def describe_error(error: Exception) -> str:
    """Return the text of kafka-python's error."""
    text = str(error.args[0]) if error.args else type(error).__name__
    errno = re.fullmatch(r"(\d+) E[A-Z]+", text)  # kafka-python's way of writing "111 ECONNREFUSED"
    return os.strerror(int(errno[1])) if errno else text


def build_refusal(bootstrap_servers: str, error: Exception) -> KafkaError:
    """Return the error for a refused login."""
    if isinstance(error.__cause__, WardenError):  # it was here that no login could be made
        return KafkaError(str(error.__cause__))
    from kafka.errors import BrokerResponseError

    why, code = describe_error(error), error.errno if isinstance(error, BrokerResponseError) else None
    return KafkaError(
        f"the cluster at {bootstrap_servers} refused the login: check sasl.mechanism and sasl.jaas.config ({why})",
        code=code,
    )


def _quieten_logging() -> None:
    """Keep kafka-python from printing its warnings on stderr, and from logging requests, which hold passwords."""
    logging.getLogger("kafka").addHandler(logging.NullHandler())
    for name in ("kafka.net.connection", "kafka.protocol.parser"):
        logging.getLogger(name).setLevel(logging.INFO)


def _parse_servers(bootstrap_servers: str) -> list[str]:
    servers = [server.strip() for server in bootstrap_servers.split(",") if server.strip()]
    for server in servers or [bootstrap_servers]:
        host, _, port = server.rpartition(":")
        bracketed = host.startswith("[") == host.endswith("]")
        if not _is_host(host) or not bracketed or not port.isdecimal() or not 0 < int(port) < 65536:
            raise ConfigurationError(f"bootstrap server {server!r} is not host:port, such as localhost:9092")
    return servers


def _is_host(host: str) -> bool:
    """Whether it can be looked up: Python refuses a name with a label that is empty or too long, as ``a..b``."""
    try:
        return bool(host.encode("idna"))
    except UnicodeError:
        return False
