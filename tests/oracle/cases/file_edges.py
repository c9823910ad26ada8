"""Edges of StartBroker: files by the roles of a node, and what Kafka compares in one as a whole."""

from typing import Final

__all__ = ["FILES", "LEFT_OUT", "PAIRS", "ROLES", "TEXTS"]

_ALL: Final = {"node.id": "1", "controller.listener.names": "CONTROLLER"}

ROLES: Final[dict[str, dict[str, str]]] = {
    "broker": {**_ALL, "process.roles": "broker", "controller.quorum.bootstrap.servers": "c:9093"},
    "controller": {
        **_ALL,
        "process.roles": "controller",
        "controller.quorum.voters": "1@c:9093,2@d:9093",
        "listeners": "CONTROLLER://:9093",
    },
    "both": {
        **_ALL,
        "process.roles": "broker,controller",
        "controller.quorum.voters": "1@localhost:9093",
        "listeners": "PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093",
        "log.dirs": "/a,/b",
    },
}
"""A file that Kafka takes, by a role's name."""

LEFT_OUT: Final = (
    *("process.roles", "node.id", "controller.listener.names", "listeners", "controller.quorum.voters"),
    *("controller.quorum.bootstrap.servers", "log.dirs"),
)
"""What is left out of each."""

_C = "CONTROLLER://:9093"
_P = "PLAINTEXT://h:9092"

TEXTS: Final[dict[str, tuple[str, ...]]] = {
    "process.roles": ("broker", "controller", "broker,controller", "controller,broker", "Broker", "", "x", "broker,"),
    "node.id": ("0", "1", "2", " 1 ", "-1", "x", ""),
    "broker.id": ("1", "2", "-1", "0", "x"),
    "controller.listener.names": (
        *("CONTROLLER", "controller", "CONTROLLER,PLAINTEXT", "PLAINTEXT", "OTHER", "CONTROLLER,OTHER", "SSL", ""),
        *("CONTROLLER,CONTROLLER", "CONTROLLER,controller", ","),
    ),
    "controller.quorum.voters": (
        *("1@c:9093", "2@c:9093", "1@c:9093,2@d:9093", "1@0.0.0.0:9093", "1@[::1]:9093", "", "1@c", "c:9093", "x@c:1"),
        *("@c:1", "1@", "1@c:1@", "1@c:1@x", "1@c d:1", "1@c:x", "1@c:70000", "1@c:99999999999", "1@:1", "-1@c:1"),
        *("1@c:1,1@d:1", "1@ssl://c:1", " 1@c:1 "),
    ),
    "controller.quorum.bootstrap.servers": (
        *("c:9093", "c:9093,d:9093", "", "c", "c:x", "c d:1", "c:70000", "ssl://c:1", "[::1]:1", ":1", "c:1,"),
    ),
    "controller.quorum.auto.join.enable": ("true", "false"),
    "listeners": (
        *(_P, _C, f"{_P},{_C}", f"{_C},{_P}", "SSL://h:1", f"SSL://h:1,{_C}", f"SASL_PLAINTEXT://h:1,{_C}", "", "x"),
        *(f"PLAINTEXT://0.0.0.0:9092,{_C}", f"{_P},CONTROLLER://0.0.0.0:9093", "CONTROLLER://0.0.0.0:9093"),
        *(f"{_P},OTHER://h:1,{_C}", f"OTHER://h:1,{_C}", f"{_P},controller://h:2", "a:b://h:1", f"a:b://h:1,{_C}"),
        *(f"{_P},{_P},{_C}", f"{_P},plaintext://h:3,{_C}", "PLAINTEXT://h:99999999999", "://h:1", "PLAINTEXT://h"),
        *("PLAINTEXT://h i:1", f"PLAINTEXT://h:9093,{_C}", f"{_P},{_C},", "PLAINTEXT://[h:1", "PLAINTEXT://h]:1"),
    ),
    "advertised.listeners": (
        *(_P, f"{_P},{_C}", "PLAINTEXT://0.0.0.0:1", "CONTROLLER://0.0.0.0:1", "OTHER://h:1", "SSL://h:1", "x", ""),
        *(f"{_P},SSL://h:9092", f"{_P},plaintext://h:1", "PLAINTEXT://:1", "PLAINTEXT://h:0", "plaintext://h:1"),
        *(f"{_P},CONTROLLER://0.0.0.0:1",),
    ),
    "listener.security.protocol.map": (
        *("PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT", "CONTROLLER:PLAINTEXT", "PLAINTEXT:PLAINTEXT", "", ","),
        *("PLAINTEXT:PLAINTEXT,CONTROLLER:SSL,OTHER:SASL_SSL", "OTHER:PLAINTEXT,CONTROLLER:PLAINTEXT"),
        *("plaintext:plaintext,controller:plaintext", "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT"),
        *("PLAINTEXT:SSL,PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,A:b"),
        *("PLAINTEXT:PLAINTEXT,controller:SSL,CONTROLLER:SSL", "PLAINTEXT:PLAINTEXT,,CONTROLLER:PLAINTEXT"),
        *("a:b:PLAINTEXT,PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT", ":SSL", "PLAINTEXT", ",PLAINTEXT:PLAINTEXT", "A:"),
        *("PLAINTEXT : PLAINTEXT , CONTROLLER : PLAINTEXT,", "SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT"),
    ),
    "inter.broker.listener.name": ("PLAINTEXT", "plaintext", "OTHER", "CONTROLLER", "SSL", "", " PLAINTEXT "),
    "security.inter.broker.protocol": ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "plaintext", ""),
    "sasl.enabled.mechanisms": ("PLAIN", "GSSAPI", "", "PLAIN,GSSAPI"),
    "sasl.mechanism.inter.broker.protocol": ("PLAIN", "GSSAPI", "", " PLAIN "),
    "listener.name.sasl_plaintext.sasl.enabled.mechanisms": ("PLAIN", "GSSAPI", ""),
    "listener.name.plaintext.sasl.enabled.mechanisms": ("PLAIN", "GSSAPI", ""),
    "listener.name.plaintext.num.network.threads": ("1", "x", "0"),
    "early.start.listeners": ("PLAINTEXT", "plaintext", "CONTROLLER", "OTHER", "", "CONTROLLER,OTHER", ","),
    "group.coordinator.rebalance.protocols": ("classic", "consumer", "consumer,share", "CLASSIC", "classic,x", ""),
    "group.share.assignors": (
        "simple",
        "simple,simple",
        "",
        "org.apache.kafka.coordinator.group.assignor.SimpleAssignor",
    ),
    "group.streams.rack.aware.assignment.tags": ("zone", "zone,rack", "a , a", "a,,b", "a,,", "", " "),
    "group.consumer.assignors": ("uniform", "range,uniform", "", "uniform,uniform", "a.B", "java.lang.String"),
    "group.consumer.migration.policy": ("DISABLED", "upgrade", "x", " upgrade ", ""),
    "sasl.oauthbearer.assertion.algorithm": ("rs256", "x"),
    "create.topic.policy.class.name": ("a.B", "java.lang.String"),
    "offsets.topic.compression.codec": ("0", "4", "5", "-1"),
    "share.coordinator.state.topic.compression.codec": ("0", "4", "5", "-1"),
    "cordoned.log.dirs": ("", "*", "/a", "/c", "/a,/c", "*,/a", "/a,/b", "/tmp/kafka-logs", "*,*"),
    "log.dirs": ("/a", "/a,/c", "", "/a,/a"),
    "log.dir": ("/c", "", "/a,/c"),
    "log.roll.ms": ("0", "1", "-1"),
    "log.roll.hours": ("0", "1"),
    "log.roll.jitter.ms": ("0", "-1"),
    "log.roll.jitter.hours": ("0", "1"),
    "log.retention.ms": ("-1", "-2", "0", "1"),
    "log.retention.minutes": ("-1", "-2", "0", "1"),
    "log.retention.hours": ("-1", "-2", "0", "1"),
    "connections.max.idle.ms": ("-1", "0", "99", "100", "101", "-5"),
    "connection.failed.authentication.delay.ms": ("0", "100", "600000", "600001"),
    "queued.max.request.bytes": ("-1", "0", "1", "104857600", "104857599"),
    "socket.request.max.bytes": ("1", "2147483647"),
    "max.connections.per.ip": ("0", "1"),
    "max.connections.per.ip.overrides": ("", "h:1", "::1:5", "a b:1", "h", "h:x", "h:", ":1", ",", "h:1,", "h:1,,i:2"),
    "replica.fetch.wait.max.ms": ("500", "30000", "30001"),
    "replica.lag.time.max.ms": ("500", "499"),
    "topic.management.policy.class.name": ("",),
    "unknown.to.kafka": ("x", ""),
}
"""Texts by the config that they are for."""

PAIRS: Final = (
    ("max.connections.per.ip", "max.connections.per.ip.overrides"),
    ("sasl.enabled.mechanisms", "sasl.mechanism.inter.broker.protocol"),
    ("inter.broker.listener.name", "security.inter.broker.protocol"),
    ("listeners", "listener.security.protocol.map"),
    ("listeners", "controller.listener.names"),
    ("advertised.listeners", "listeners"),
    ("process.roles", "listeners"),
    ("inter.broker.listener.name", "listener.security.protocol.map"),
    ("controller.quorum.voters", "node.id"),
)
"""What Kafka looks at together."""

FILES: Final[tuple[dict[str, str], ...]] = (
    *({name: text} for name, texts in TEXTS.items() for text in texts),
    *(
        {"security.inter.broker.protocol": "SASL_PLAINTEXT", "listeners": f"SASL_PLAINTEXT://h:1,{_C}", name: text}
        for name in ("sasl.enabled.mechanisms", "listener.name.sasl_plaintext.sasl.enabled.mechanisms")
        for text in ("GSSAPI", "PLAIN", "")
    ),
    *({name: "a.B", "log.roll.ms": "0"} for name in ("create.topic.policy.class.name", "group.consumer.assignors")),
)
"""What is changed in each."""
