"""A connection to a live cluster: the one module that uses kafka-python's internals.

kafka-python's own ``describe_…`` methods are passed by where they lose something: ``describe_configs`` drops the error
code of each resource, so that a refusal reads as "no configs", and ``describe_acls`` fails on an operation it does not
know.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

from warden.base.errors import KafkaError, KafkaUnreachable
from warden.base.process.closing import Closing
from warden.state.sources.kafka.login.error_codes import NotDisclosed, format_reason
from warden.state.sources.kafka.login.first_request import (
    build_refusal,
    close_client,
    describe_error,
    prepare_options,
    try_bootstrap_servers,
)

__all__ = ["Connection", "connect", "open_consumer"]

_CONTROLLER = (
    "is a controller, which knows no topics, groups and offsets: name brokers; brokers' configs are shown by "
    "warden configs --bootstrap-controller"
)


class Connection(Closing):
    """An open connection; use `connect`. Also a context manager.

    Applications hand it on and close it. Its other members are internal: any release may move, change or remove them.

    Args:
        admin: kafka-python's admin client, connected.
        bootstrap_servers: What it was reached by, for messages.
        timeout: Seconds that a single request may take, with its retries.
    """

    def __init__(self, admin: Any, bootstrap_servers: str, timeout: float) -> None:
        self._admin = admin
        self._manager = admin._manager  # noqa: SLF001 - the admin client has no public way to send a request as it is
        self._timeout = timeout
        self.bootstrap_servers = bootstrap_servers

    def close(self) -> None:
        """Close the sockets and end the I/O thread."""
        self._admin.close()

    @property
    def admin(self) -> Any:
        """kafka-python's ``KafkaAdminClient``, for writing."""
        return self._admin

    def find_version(self, request: type) -> int:
        """Return the highest version of a request that both sides know.

        Raises:
            NotDisclosed: The cluster does not know the request at all.
        """
        from kafka.errors import IncompatibleBrokerVersion

        try:
            return int(self._manager.broker_version_data.api_version(request))
        except IncompatibleBrokerVersion:
            raise NotDisclosed("this version of Kafka has no such API") from None

    def send(self, request: Any, node: int | None = None, *, check: bool = True) -> Any:
        """Send a request and return its response; what may be repeated is repeated until the time is up.

        Args:
            request: A kafka-python request message.
            node: Broker that must answer; None for any.
            check: Whether to look at the ``error_code`` of the whole response.

        Raises:
            NotDisclosed: The cluster does not know the request in a fitting version, or answers with an error code.
            KafkaUnreachable: No answer in time.
            KafkaError: An answer that is no use.
        """
        from kafka.errors import RetriableError

        deadline = time.monotonic() + self._timeout
        while True:
            try:
                return self._send_once(request, node, check=check)
            except RetriableError as error:
                if time.monotonic() >= deadline:
                    raise KafkaUnreachable(
                        f"{_describe_broker(node)} of the cluster at {self.bootstrap_servers} did not answer within "
                        f"{self._timeout:g} s ({type(error).__name__}): try again, or give it longer with --timeout"
                    ) from error
                time.sleep(0.2)

    def _send_once(self, request: Any, node: int | None, *, check: bool) -> Any:
        """One attempt; what may be repeated stays kafka-python's ``RetriableError``."""
        from kafka import errors

        try:
            response = self._manager.run(self._manager.send, request, node)
            if check and response.error_code:
                raise errors.for_code(response.error_code)(response.error_message)
        except errors.IncompatibleBrokerVersion:
            raise NotDisclosed("this version of Kafka has no such API") from None
        except errors.SaslAuthenticationFailedError as error:
            raise build_refusal(self.bootstrap_servers, error) from error
        except errors.UnknownBrokerIdError as error:  # it left, and the metadata is already without it
            raise KafkaUnreachable(
                f"{_describe_broker(node)} has left the cluster at {self.bootstrap_servers}"
            ) from error
        except errors.RetriableError:
            raise
        except errors.BrokerResponseError as error:
            raise NotDisclosed(format_reason(error.errno, describe_error(error)), error.errno) from error
        except errors.KafkaError as error:
            raise KafkaError(
                f"the cluster at {self.bootstrap_servers} failed ({error}): try again, or look into its brokers' logs"
            ) from error
        except OSError as error:  # as of a token provider, where a login has to be repeated
            raise KafkaUnreachable(
                f"the cluster at {self.bootstrap_servers} cannot be reached or logged in to again: {error}"
            ) from error
        return response


def connect(bootstrap_servers: str, *, security: Mapping[str, str] | None = None, timeout: float = 15.0) -> Connection:
    """Connect to a cluster.

    Args:
        bootstrap_servers: ``host:port``, several separated by commas.
        security: Kafka's client properties, see `warden.state.sources.kafka.login.security`.
        timeout: Seconds until an answer must be there.

    Raises:
        ConfigurationError: ``bootstrap_servers`` or ``security`` is wrong, a server is a controller, or kafka-python is
            missing.
        KafkaUnreachable: No broker can be reached, or none answers as a Kafka broker in time.
        KafkaError: The cluster refuses the login, or the identity provider gives no token, or Kerberos no ticket.
    """
    options = prepare_options(bootstrap_servers, security)
    from kafka import KafkaAdminClient, errors

    try:
        admin = _open_client(KafkaAdminClient, bootstrap_servers, timeout, **options)
    except errors.KafkaError as error:
        raise KafkaUnreachable(
            f"{bootstrap_servers} did not answer as a Kafka broker within {timeout:g} s: check the address"
        ) from error
    return Connection(admin, bootstrap_servers, timeout)


def open_consumer(bootstrap_servers: str, security: Mapping[str, str] | None, timeout: float) -> Any:
    """Return a consumer of kafka-python's without a group, of committed records; arguments and errors as `connect`."""
    options, milliseconds = prepare_options(bootstrap_servers, security), int(timeout * 1000)
    from kafka import KafkaConsumer

    return _open_client(
        KafkaConsumer,
        bootstrap_servers,
        timeout,
        **options,
        group_id=None,
        enable_auto_commit=False,
        allow_auto_create_topics=False,
        auto_offset_reset="none",  # records that are gone are an error, with which a topic is read anew
        isolation_level="read_committed",
        fetch_max_wait_ms=min(500, milliseconds // 2),  # it takes no time for requests that is not between these two
        connections_max_idle_ms=max(540_000, 2 * milliseconds),
    )


def _open_client(kind: Callable[..., Any], servers: str, timeout: float, **options: Any) -> Any:
    """Return a client of kafka-python's, connected by the first server that answers; one that fails leaves nothing.

    Its own bootstrap takes any of the servers, at random, so that one that hangs may take all the time.

    Args:
        kind: ``KafkaAdminClient`` or ``KafkaConsumer``; a producer of transactions does not begin on such a client.
        servers: As of `connect`, for messages.
        timeout: Seconds until an answer must be there, and for each request.
        options: As of `prepare_options`, and further ones of kafka-python.
    """
    from kafka.net.compat import KafkaNetClient
    from kafka.protocol.metadata import MetadataRequest

    deadline, milliseconds = time.monotonic() + timeout, max(1, int(timeout * 1000))
    opened: list[Any] = []

    def open_connected(**configs: Any) -> Any:
        opened.append(KafkaNetClient(**configs))
        try_bootstrap_servers(opened[0], servers, deadline, MetadataRequest(topics=[]), _CONTROLLER)
        return opened[0]

    limits = {"bootstrap_timeout_ms": milliseconds, "request_timeout_ms": milliseconds}
    try:
        return kind(kafka_client=open_connected, **limits, **options)
    except BaseException:
        for half_open in opened:  # the constructor leaves its I/O thread running when it fails
            close_client(half_open)
        raise


def _describe_broker(node: int | None) -> str:
    return "a broker" if node is None else f"broker {node}"
