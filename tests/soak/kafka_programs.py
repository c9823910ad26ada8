"""The gateway and the service in processes of their own, under load."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, NewTopic

from tests.fixtures.brokers.three_brokers import Brokers
from tests.fixtures.warden_process import WardenProcess
from tests.soak.load import ALLOWED, DENIED, Answer, Load, Loaded
from warden.base.http.ports import list_free_ports

__all__ = ["ADMIN", "run_gateway", "run_service"]

ADMIN = "User:admin"
"""Who alters client configs: a super user of the settings."""

_PARTITIONS = {True: 2, False: 99}  # of a topic that policy allows, and of one that it denies
_SECONDS = 15  # that a request may take
_PAUSE = 0.1


@contextmanager
def run_gateway(
    directory: Path, cluster: str, brokers: Brokers, opa: dict[str, Any], random: random.Random
) -> Iterator[Loaded]:
    """Run a gateway before brokers, and a real client that makes topics through it, without making them.

    Args:
        directory: For its files.
        cluster: The cluster's name.
        brokers: The brokers.
        opa: Of its configuration.
        random: Says what is requested.
    """
    ports = list_free_ports(len(brokers.nodes))
    listed = [
        {"id": node, "address": address, "port": port}
        for node, address, port in zip(brokers.nodes, brokers.bootstrap_servers.split(","), ports, strict=True)
    ]
    own = {"name": cluster, "advertisedHost": "127.0.0.1", "bind": "127.0.0.1", "authentication": "none"}
    gateway = WardenProcess("gateway", directory, {"opa": opa, "clusters": [{**own, "brokers": listed}]})
    servers = ",".join(f"127.0.0.1:{port}" for port in ports)
    client = AdminClient({"bootstrap.servers": servers, "socket.timeout.ms": 1000 * _SECONDS, "log_level": 0})

    def ask(is_good: bool) -> Answer:
        name = f"load.topic.{random.choice('abcdefgh')}"
        topic = NewTopic(name, _PARTITIONS[is_good], 3, config={"retention.ms": "600000"})
        made = client.create_topics([topic], validate_only=True, request_timeout=_SECONDS)
        try:
            made[name].result(2 * _SECONDS)
        except KafkaException as error:
            return _answer(error)
        except TimeoutError:
            return Answer("no answer")
        return Answer(ALLOWED)

    with gateway, Load(ask, random, _PAUSE) as load:
        yield Loaded("gateway", gateway.pid, load)
        load.stop()


def _answer(error: KafkaException) -> Answer:
    """A denial by a rule names it; the gateway's own, where nothing was decided, does not."""
    found = error.args[0]
    is_denial = found.name() == "POLICY_VIOLATION" and "KFK-" in found.str()
    return Answer(DENIED if is_denial else found.name(), found.str())


@contextmanager
def run_service(
    directory: Path, cluster: str, brokers: Brokers, opa: dict[str, Any], random: random.Random
) -> Iterator[Loaded]:
    """Run a service, and somebody who asks for decisions, alters client configs and resolves them.

    Args:
        directory: For its files.
        cluster: The cluster's name.
        brokers: The brokers.
        opa: Of its configuration.
        random: Says what is requested.
    """
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "admin").write_text("token-of-admin", encoding="utf-8")
    served = {"name": cluster, "bootstrapServers": brokers.bootstrap_servers, "store": f"sqlite:{directory}/configs.db"}
    document = {
        "opa": opa,
        "callers": [{"token": {"file": "admin"}, "principal": ADMIN}],
        "clusters": [served],
    }
    service = WardenProcess("serve", directory, document)
    session = requests.Session()
    session.headers["Authorization"] = "Bearer token-of-admin"

    def ask(is_good: bool) -> Answer:
        path, body = _request(random, is_good)
        try:
            answer = session.post(
                f"http://127.0.0.1:{service.begun['port']}/v1/{path}", json=body, timeout=2 * _SECONDS
            )
        except requests.RequestException as error:
            return Answer(type(error).__name__, str(error))
        if not answer.ok:
            return Answer(str(answer.status_code), answer.text)
        document = answer.json()
        is_allowed = document.get("allowed") or (
            path != "decide" and not any(entry["errorCode"] for entry in document["entries"])
        )
        return Answer(ALLOWED if is_allowed else DENIED, answer.text)

    with service, Load(ask, random, _PAUSE) as load:
        yield Loaded("service", service.pid, load)
        load.stop()


def _request(random: random.Random, is_good: bool) -> tuple[str, Any]:
    user = f"user-{random.randrange(50)}"
    if random.random() < 0.5:
        request = {"topic": "load.topic", "numPartitions": _PARTITIONS[is_good], "replicationFactor": 3}
        return "decide", {"operation": "CreateTopic", "request": request}
    entity = [{"entityType": "user", "entityName": user}]
    ops = [{"key": "acks", "value": random.choice("01") if is_good else "2"}]
    return "client-configs/alter", {"entries": [{"entity": entity, "ops": ops}]}
