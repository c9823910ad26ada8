"""Kafka's client properties that decide about a login: which are obeyed, which mean nothing here, which are refused.

The names are those of Kafka 4.3's AdminClientConfig. A login by other means than a person wrote down would be worse
than none, so a property of these that is not known, or not supported, is an error that names it.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from warden.base.did_you_mean import find_nearest
from warden.base.errors import ConfigurationError
from warden.state.sources.kafka.login.clouds import MSK_CLIENT_HANDLERS
from warden.state.sources.kafka.login.kerberos import SERVICE_NAME
from warden.state.sources.kafka.login.token_command import TOKEN_COMMAND

__all__ = ["SECRET_PROPERTIES", "SUPPORTED_PROPERTIES", "check_login_properties", "list_unused_properties"]

_OAUTH = "sasl.oauthbearer."

SUPPORTED_PROPERTIES: Final = frozenset(
    {
        "client.dns.lookup",
        "security.protocol",
        "sasl.client.callback.handler.class",
        "sasl.jaas.config",
        SERVICE_NAME,
        "sasl.login.callback.handler.class",
        "sasl.login.connect.timeout.ms",
        "sasl.login.read.timeout.ms",
        "sasl.mechanism",
        f"{_OAUTH}client.credentials.client.id",
        f"{_OAUTH}client.credentials.client.secret",
        f"{_OAUTH}header.urlencode",
        f"{_OAUTH}scope",
        f"{_OAUTH}token.endpoint.url",
        "ssl.enabled.protocols",
        "ssl.endpoint.identification.algorithm",
        "ssl.key.password",
        "ssl.keystore.certificate.chain",
        "ssl.keystore.key",
        "ssl.keystore.location",
        "ssl.keystore.password",
        "ssl.keystore.type",
        "ssl.truststore.certificates",
        "ssl.truststore.location",
        "ssl.truststore.password",
        "ssl.truststore.type",
        TOKEN_COMMAND,
    }
)
"""Properties that a login is made of."""

SECRET_PROPERTIES: Final = frozenset(
    {
        "sasl.jaas.config",
        f"{_OAUTH}client.credentials.client.secret",
        "ssl.key.password",
        "ssl.keystore.key",
        "ssl.keystore.password",
        "ssl.truststore.password",
    }
)
"""Those of them that nobody may read: of Kafka's type ``password``, but for certificates, which everybody may."""

# How Java's client logs in again, or what its broker reads: of no meaning to a connection that is made here.
_WITHOUT_MEANING = {
    *(f"sasl.kerberos.{name}" for name in ("kinit.cmd", "min.time.before.relogin")),
    *(f"sasl.kerberos.ticket.renew.{name}" for name in ("jitter", "window.factor")),
    *(f"sasl.login.refresh.{name}" for name in ("buffer.seconds", "min.period.seconds")),
    *(f"sasl.login.refresh.window.{name}" for name in ("factor", "jitter")),
    *(f"sasl.login.retry.backoff.{name}" for name in ("max.ms", "ms")),
    *(f"{_OAUTH}{name}" for name in ("clock.skew.seconds", "expected.audience", "expected.issuer")),
    *(f"{_OAUTH}{name}.claim.name" for name in ("scope", "sub")),
    *(f"{_OAUTH}jwks.endpoint.{name}" for name in ("refresh.ms", "retry.backoff.max.ms", "retry.backoff.ms", "url")),
    "ssl.protocol",
    "ssl.provider",
    "ssl.keymanager.algorithm",
    "ssl.trustmanager.algorithm",
    "ssl.secure.random.implementation",
}

_PLUGIN = "a class of Java's, which cannot be run here: leave it out"

_ASSERTION = (
    *("algorithm", "file", "private.key.file", "private.key.passphrase", "template.file"),
    *(f"claim.{name}" for name in ("aud", "exp.seconds", "iss", "jti.include", "nbf.seconds", "sub")),
)
_OF_OAUTH = "only a client's id and secret, or the file of a token, are supported"

_REFUSED: Final = {
    **{f"{_OAUTH}assertion.{name}": _OF_OAUTH for name in _ASSERTION},
    "bootstrap.controllers": "name brokers with --bootstrap-server, or use warden configs --bootstrap-controller",
    "config.providers": "values are not looked up elsewhere: write them, or name a secret in --clusters",
    "sasl.login.class": _PLUGIN,
    f"{_OAUTH}jwt.retriever.class": _OF_OAUTH,
    f"{_OAUTH}jwt.validator.class": _PLUGIN,
    "security.providers": _PLUGIN,
    "ssl.cipher.suites": "suites cannot be chosen: leave it out, TLS 1.2 and 1.3 have good ones",
    "ssl.engine.factory.class": _PLUGIN,
}

# What else an admin client has.
_OTHERS = {
    "bootstrap.servers",
    "client.id",
    "connections.max.idle.ms",
    "default.api.timeout.ms",
    "enable.metrics.push",
    "metadata.max.age.ms",
    "metadata.recovery.rebootstrap.trigger.ms",
    "metadata.recovery.strategy",
    "metric.reporters",
    "metrics.num.samples",
    "metrics.recording.level",
    "metrics.sample.window.ms",
    "receive.buffer.bytes",
    "reconnect.backoff.max.ms",
    "reconnect.backoff.ms",
    "request.timeout.ms",
    "retries",
    "retry.backoff.max.ms",
    "retry.backoff.ms",
    "send.buffer.bytes",
    "socket.connection.setup.timeout.max.ms",
    "socket.connection.setup.timeout.ms",
}
_FAMILIES = ("sasl.", "ssl.", "security.", "warden.")
_OF_A_LOGIN = SUPPORTED_PROPERTIES | _WITHOUT_MEANING | _REFUSED.keys()
_KNOWN = _OF_A_LOGIN | _OTHERS


def check_login_properties(properties: Mapping[str, str]) -> None:
    """Check that every property that is about a login is understood.

    Args:
        properties: Kafka's client properties.

    Raises:
        ConfigurationError: One is not known, or not supported; the sentence names it, and the nearest that there is.
    """
    if (handler := properties.get("sasl.client.callback.handler.class", "").strip()) not in {"", *MSK_CLIENT_HANDLERS}:
        raise ConfigurationError(f"sasl.client.callback.handler.class {handler} is not supported: it is {_PLUGIN}")
    for name, value in sorted(properties.items()):
        if name in _REFUSED and value.strip():
            raise ConfigurationError(f"{name} is not supported: {_REFUSED[name]}")
        if name in _KNOWN:
            continue
        if near := find_nearest(name, _OF_A_LOGIN, likeness=0.85):
            raise ConfigurationError(f"unknown property {name} of Kafka's clients: did you mean {near}?")
        if name.startswith(_FAMILIES):
            raise ConfigurationError(f"unknown property {name} of Kafka's clients, or not supported: leave it out")


def list_unused_properties(names: Iterable[str]) -> list[str]:
    """Return the names, in order, that are none of an admin client's: a file may hold those of producers too."""
    return sorted(name for name in names if name not in _KNOWN)
