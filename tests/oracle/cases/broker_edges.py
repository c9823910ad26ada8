"""Edges of AlterBroker: dynamic configs that Kafka compares with each other, with listeners, or with what runs."""

__all__ = ["EDGES"]

_THREE = "PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT"
_AT = ",".join(
    f"{name}://127.0.0.1:{port}" for port, name in enumerate(("PLAINTEXT", "SASL_PLAINTEXT", "CONTROLLER"), 1)
)

_MAPS = (
    *(f"{_THREE},OTHER:{text}" for text in ("PLAINTEXT", "SSL", "SASL_SSL", "plaintext", "FOO", "")),
    *(_THREE, f"{_THREE},OTHER:SSL,OTHER:SSL", "OTHER:PLAINTEXT"),
)
_HOSTS = (("a", "b"), ("1.1.1.1", "1.1.1.2"), ("1.1.1.1", "[::1]"), ("[::1]", "[::2]"), ("a", "1.1.1.1"), ("", ""))
_PREFIXES = ("", *(f"listener.name.{name}." for name in ("plaintext", "PLAINTEXT", "sasl_plaintext", "other", "")))
_OF_LISTENERS = (
    *(("ssl.keystore.type", text) for text in ("JKS", "PEM", "x", "")),
    ("ssl.keystore.password", "x"),
    ("ssl.key.password", "x"),
    ("ssl.keystore.key", "x"),
    ("ssl.keystore.certificate.chain", "x"),
    ("ssl.truststore.type", "JKS"),
    ("ssl.truststore.certificates", "x"),
    ("ssl.client.auth", "required"),
    ("ssl.endpoint.identification.algorithm", ""),
    ("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256"),
    ("sasl.jaas.config", "x"),
    ("max.connections", "-1"),
    ("max.connections", "x"),
    ("connections.max.reauth.ms", "5"),
    ("connections.max.idle.ms", "5"),
    ("queued.max.requests", "5"),
)

# What is set together, of broker 1 and of all brokers.
EDGES: tuple[dict[str, str], ...] = (
    *({"num.io.threads": text} for text in ("3", "4", "8", "16", "17")),
    *({"num.network.threads": text} for text in ("1", "6", "7")),
    *({"listener.name.plaintext.num.network.threads": text} for text in ("1", "6", "7")),
    *({"log.cleaner.threads": text} for text in ("0", "1", "2", "3", "1000")),
    *({"log.cleaner.dedupe.buffer.size": text} for text in ("1048576", "1048577", "-1")),
    {"log.cleaner.threads": "2", "log.cleaner.dedupe.buffer.size": "2097153"},
    *({"log.retention.ms": text} for text in ("-1", "-5", "0", "1")),
    *({"log.roll.ms": "0", "log.retention.ms": text} for text in ("0", "1")),
    *({"log.local.retention.ms": text} for text in ("-2", "-1", "1", "604800000", "604800001")),
    {"log.local.retention.ms": "-1", "log.retention.ms": "-5"},
    {"log.local.retention.ms": "-1", "log.retention.ms": "9223372036854775807"},
    *({"log.local.retention.bytes": "5", "log.retention.bytes": text} for text in ("4", "5", "-1", "-7")),
    {"log.local.retention.bytes": "-1", "log.retention.bytes": "4"},
    *({"log.remote.copy.lag.ms": text} for text in ("604800000", "604800001", "-1")),
    *({"log.local.retention.ms": "5", "log.remote.copy.lag.ms": text} for text in ("5", "6")),
    *({"log.local.retention.bytes": "5", "log.remote.copy.lag.bytes": text} for text in ("0", "5", "6")),
    {"log.local.retention.ms": "0", "log.remote.copy.lag.ms": "1"},
    {"log.retention.bytes": "4", "log.remote.copy.lag.bytes": "5"},
    {"log.retention.ms": "-1", "log.remote.copy.lag.ms": "9223372036854775807"},
    {"log.cleaner.min.compaction.lag.ms": "10", "log.cleaner.max.compaction.lag.ms": "5"},
    {"min.compaction.lag.ms": "10", "max.compaction.lag.ms": "5"},
    *({f"group.{kind}.assignment.interval.ms": "2147483647"} for kind in ("consumer", "share", "streams")),
    *({name: "0"} for name in ("max.connections", "max.connection.creation.rate", "max.connections.per.ip")),
    *({f"listener.name.plaintext.{name}": "0"} for name in ("max.connections", "max.connection.creation.rate")),
    {"max.connections.per.ip": "0", "max.connections.per.ip.overrides": "127.0.0.1:1"},
    *({"max.connections.per.ip.overrides": text} for text in ("a", "127.0.0.1:x", "a:1,a:2", "127.0.0.1:-1", ":1")),
    *({"cordoned.log.dirs": text} for text in ("", "*", "a,b", "a,a", ",")),
    *({"listeners": text} for text in (_AT, f"{_AT},OTHER://h:4", f"{_AT},PLAINTEXT://h:4", "a", "x://1:2", ",")),
    *({"listeners": text} for text in ("PLAINTEXT://127.0.0.1:1", "CONTROLLER://127.0.0.1:3")),
    *(
        {"listener.security.protocol.map": text}
        for text in (
            _THREE,
            f"{_THREE},X:SSL",
            _THREE.replace("PLAINTEXT:P", "PLAINTEXT:S", 1),
            "x",
            "PLAINTEXT:FOO",
            "",
        )
    ),
    *({f"ssl.{store}.location": "/x"} for store in ("keystore", "truststore")),
    *({f"listener.name.plaintext.ssl.{store}.location": "/x"} for store in ("keystore", "truststore")),
    {"listener.name.plaintext.foo": "1"},
    {"listener.name.plaintext.num.partitions": "x"},
    {"listener.name.plaintext.plain.num.partitions": "x"},
    {"listener.name.other.num.partitions": "x"},
    {"listener.name.plaintext.log.retention.ms": "0"},
    {"config.providers": ","},
    {"num.io.threads": "1000", "log.cleaner.threads": "1000", "log.roll.ms": "0"},
    {"min.insync.replicas": "1"},
    {"listener.name.plaintext.foo": "1", "max.connections": "5"},
    {"listener.name.plaintext.ssl.protocol": "x", "max.connections": "5"},
    {"listener.name.controller.foo": "1", "num.io.threads": "9"},
    {"listeners": "a,a"},
    *({"listeners": f"{_AT},OTHER://127.0.0.1:4", "listener.security.protocol.map": text} for text in _MAPS),
    *(
        {"listeners": f"{_AT},OTHER://127.0.0.1:4", "listener.security.protocol.map": _MAPS[0], name: value}
        for name, value in (
            ("listener.name.other.ssl.keystore.location", "/x"),
            ("listener.name.other.ssl.keystore.type", "PEM"),
            ("listener.name.other.sasl.enabled.mechanisms", "PLAIN"),
            ("listener.name.other.max.connections", "5"),
            ("listener.name.other.num.network.threads", "x"),
            ("advertised.listeners", "OTHER://h:4"),
            ("inter.broker.listener.name", "OTHER"),
        )
    ),
    *(
        {"advertised.listeners": text}
        for text in ("PLAINTEXT://h:1", "OTHER://h:1", "CONTROLLER://h:3", "PLAINTEXT://0.0.0.0:1", "a", "")
    ),
    {"listeners": _AT, "advertised.listeners": _AT},
    {"listeners": "PLAINTEXT://127.0.0.1:1,CONTROLLER://127.0.0.1:3", "advertised.listeners": _AT},
    *({"listeners": _AT.replace("PLAINTEXT", text, 1)} for text in ("plaintext", "Plaintext", "EXTERNAL", "")),
    *({"listeners": f"PLAINTEXT://{text},CONTROLLER://h:3"} for text in ("h:0", "h:-1", "h:65536", "h:x", ":1", "h")),
    {"listeners": "PLAINTEXT://[::1]:1,CONTROLLER://[::1]:3"},
    {"listeners": "PLAINTEXT://h:1,SASL_PLAINTEXT://h:1,CONTROLLER://h:1"},
    *(
        {"listeners": f"PLAINTEXT://{one}:{port},SASL_PLAINTEXT://{other}:{port},CONTROLLER://h:3"}
        for one, other in _HOSTS
        for port in (1, 0)
    ),
    {"listeners": "PLAINTEXT://1.1.1.1:1,SASL_PLAINTEXT://[::1]:1,CONTROLLER://2.2.2.2:1"},
    {"listeners": "PLAINTEXT://1.1.1.1:1,SASL_PLAINTEXT://[::1]:1,CONTROLLER://h:1"},
    *({name: "x"} for name in ("inter.broker.listener.name", "controller.listener.names", "early.start.listeners")),
    {"security.inter.broker.protocol": "PLAINTEXT", "inter.broker.listener.name": "PLAINTEXT"},
    *({f"{prefix}{name}": value} for prefix in _PREFIXES for name, value in _OF_LISTENERS),
)
"""What is set together."""
