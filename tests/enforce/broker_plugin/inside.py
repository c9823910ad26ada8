"""A broker with the plugin inside, and an OPA beside it that knows the broker's state."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import yaml

from tests.fixtures.brokers.replication import replicate_cluster
from tests.fixtures.brokers.three_brokers import Brokers
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.settings import ANY_AGE, few_settings
from tests.oracle.broker import Broker
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.opa.local import LocalOpa
from warden.state.sources.kafka.login.connection import connect

__all__ = [
    "CLUSTER",
    "Inside",
    "build_rules",
    "plugin_properties",
    "reject_records",
    "start_inside",
    "start_three_inside",
]

CLUSTER: Final = "inside"
"""The cluster's name in decision inputs."""

_USERS: Final = {"alice": "x", "bob": "x"}

_SHARE_GROUPS: Final = {
    "errors.deadletterqueue.auto.create.topics.enable": "true",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
}
"""With these brokers make topics for records that share groups reject."""

_OWN_RULES: Final = """\
package site.rules.inside

deny contains violation if {
	input.operation == "AlterTopic"
	before := object.get(input.current.configs, "retention.ms", null)
	before != null
	object.get(input.requested.configs, "retention.ms", null) == null
	violation := object.union(_violation, {"message": $"retention.ms was {before} before, and goes"})
}

deny contains violation if {
	input.operation == "CreateTopic"
	input.topic == "dlq.forbidden"
	input.api.key == "CreateTopics"
	violation := object.union(_violation, {"message": $"{input.principal.name} makes no {input.topic}"})
}

deny contains violation if {
	input.operation == "CreateTopic"
	endswith(input.topic, $".{input.principal.name}s.not")
	violation := object.union(_violation, {"message": $"{input.principal.name} makes no {input.topic}"})
}

_violation := {"rule": "INSIDE-1", "severity": "low", "fix": "none", "path": [], "patch": []}
"""


def build_rules(directory: Path, opa: Path) -> Bundle:
    """Build a bundle under which names, partitions, retention, its loss, and some deletions are denied."""
    settings = few_settings()
    settings["rules"]["KFK-DEL-005"] = {"mode": "deny", "params": {"patterns": ["shop.kept*"]}}
    settings["freshness"] = {"default": ANY_AGE, "operations": {"DeleteTopic": ANY_AGE}}
    (directory / "settings.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    (directory / "site").mkdir()
    (directory / "site" / "inside.rego").write_text(_OWN_RULES, encoding="utf-8")
    output = directory / "bundle.tar.gz"
    return build_bundle(output, settings=directory / "settings.yaml", site=[directory / "site"], opa=opa)


def plugin_properties(opa: LocalOpa, token: Path, **more: str) -> dict[str, str]:
    """Return what server.properties needs for the plugin: decisions may take as long as tests wait.

    Args:
        opa: Who decides.
        token: File to which OPA's token is written.
        more: Further settings of the plugin, with underscores for dots.
    """
    token.write_text(opa.tokens.query, encoding="utf-8")
    own = {
        "cluster": CLUSTER,
        "opa.url": opa.url,
        "opa.token.file": str(token),
        "log.lines": "100000",
        "budget.ms": str(int(PATIENCE * 1000)),
        "request.budget.ms": str(int(PATIENCE * 1000)),
        **{name.replace("_", "."): value for name, value in more.items()},
    }
    return {
        "authorizer.class.name": "warden.broker.Authorizer",
        "create.topic.policy.class.name": "warden.broker.CreateTopicPolicy",
        "alter.config.policy.class.name": "warden.broker.AlterConfigPolicy",
        "super.users": "User:ANONYMOUS",
        **{f"warden.broker.{name}": value for name, value in own.items()},
    }


class Inside:
    """A broker with the plugin, and requests to it.

    Args:
        broker: The broker.
        opa: The OPA that it asks.
        directory: For configurations.
    """

    def __init__(self, broker: LocalBroker | Brokers, opa: LocalOpa, directory: Path) -> None:
        self.broker, self.opa, self._directory = broker, opa, directory

    @property
    def log(self) -> str:
        """What the plugin has written into the logs of all nodes."""
        assert self.broker._directory is not None
        logs = sorted(self.broker._directory.rglob("broker.log"))
        lines = [line for log in logs for line in log.read_text(encoding="utf-8").splitlines()]
        return "\n".join(line for line in lines if "(warden.broker)" in line)

    def replicate(self, *topics: str) -> None:
        """Write the cluster's state into OPA, once the broker has some topics that its controller made."""
        eventually(lambda: {*topics} <= self.topics(), "the broker has the topics")
        replicate_cluster(self.opa, self._directory, self.broker.bootstrap_servers, CLUSTER)

    def topics(self) -> set[str]:
        """Return the names of all topics."""
        with connect(self.broker.bootstrap_servers, timeout=PATIENCE) as connection:
            return set(connection.admin.list_topics())

    def create(
        self,
        *names: str,
        user: str | None = None,
        node: int | None = None,
        validate_only: bool = False,
        **fields: Any,
    ) -> dict[str, tuple[int, str]]:
        """Request topics of one partition, and return the code and the text about each.

        Args:
            names: Of the topics.
            user: Who logs in; an anonymous super user where nobody does.
            node: The broker to which it goes; None for any.
            validate_only: Make none.
            fields: Of each topic, as in the request; ``configs`` is an object.
        """
        configs = [{"name": name, "value": value} for name, value in fields.pop("configs", {}).items()]
        topic = {"numPartitions": 1, "replicationFactor": 1, "assignments": [], "configs": configs, **fields}
        topics = [{**topic, "name": name} for name in names]
        request = {"topics": topics, "timeoutMs": 60_000, "validateOnly": validate_only}
        response = self.send("CreateTopics", request, user, node)
        return {topic.name: (topic.error_code, topic.error_message or "") for topic in response.topics}

    def delete(self, *names: str, user: str | None = None) -> dict[str, int]:
        """Delete topics, and return the code about each."""
        topics = [{"name": name, "topicId": "00000000-0000-0000-0000-000000000000"} for name in names]
        response = self.send("DeleteTopics", {"topics": topics, "topicNames": [], "timeoutMs": 60_000}, user)
        return {topic.name: topic.error_code for topic in response.responses}

    def alter(self, topic: str, changes: Mapping[str, str | None], *, legacy: bool = False) -> tuple[int, str]:
        """Change configs of a topic, null deletes, and return the code and the text."""
        configs = [
            {"name": name, "value": value} | ({} if legacy else {"configOperation": 1 if value is None else 0})
            for name, value in changes.items()
        ]
        resources = [{"resourceType": 2, "resourceName": topic, "configs": configs}]
        api = "AlterConfigs" if legacy else "IncrementalAlterConfigs"
        (answer,) = self.send(api, {"resources": resources, "validateOnly": False}).responses
        return answer.error_code, answer.error_message or ""

    def configs(self, topic: str) -> dict[str, str]:
        """Return the overrides of a topic."""
        resources = [{"resourceType": 2, "resourceName": topic, "configurationKeys": None}]
        (result,) = self.send("DescribeConfigs", {"resources": resources}).results
        return {each.name: each.value for each in result.configs if each.config_source == 1}

    def send(self, api: str, fields: Mapping[str, Any], user: str | None = None, node: int | None = None) -> Any:
        """Send a request as it is written, to any broker or to one, and return the response."""
        if user is None:
            address, security = self.broker.bootstrap_servers, None
        else:
            address = self.broker.sasl_bootstrap_servers
            login = f'org.apache.kafka.common.security.plain.PlainLoginModule required username="{user}" password="x";'
            security = {
                "security.protocol": "SASL_PLAINTEXT",
                "sasl.mechanism": "PLAIN",
                "sasl.jaas.config": login,
            }
        with connect(address, security=security, timeout=PATIENCE) as connection:
            return Broker(connection).send(api, fields, node)


@contextmanager
def start_inside(
    bundle: Bundle,
    opa: Path,
    jar: Path,
    directory: Path,
    *,
    own: Mapping[str, str] | None = None,
    options: Sequence[str] = (),
    **more: str,
) -> Iterator[Inside]:
    """Start an OPA and a broker that asks it.

    Args:
        bundle: The policy.
        opa: The OPA binary.
        jar: The plugin.
        directory: For files.
        own: Further properties of the broker.
        options: Of its JVM.
        more: Settings of the plugin, with underscores for dots.
    """
    with LocalOpa(bundle, opa=opa) as running:
        properties = {**plugin_properties(running, directory / "token", **more), **(own or {})}
        with LocalBroker(properties=properties, sasl_users=_USERS, jars=[jar], options=options) as broker:
            inside = Inside(broker, running, directory)
            inside.replicate()
            yield inside


@contextmanager
def start_three_inside(
    bundle: Bundle,
    opa: Path,
    jar: Path,
    directory: Path,
    release: str,
    options: Mapping[int, Sequence[str]],
    **more: str,
) -> Iterator[Inside]:
    """Start an OPA and three nodes of a release of Kafka, each broker and controller in one, that ask it.

    Args:
        bundle: The policy.
        opa: The OPA binary.
        jar: The plugin.
        directory: For files.
        release: As ``4.3.1``.
        options: Of each node's JVM.
        more: Settings of the plugin, with underscores for dots.
    """
    with LocalOpa(bundle, opa=opa) as running:
        properties = {**_SHARE_GROUPS, **plugin_properties(running, directory / "token", **more)}
        with Brokers(
            heap=320, properties=properties, release=release, jars=[jar], sasl_users=_USERS, options=options
        ) as brokers:
            inside = Inside(brokers, running, directory)
            inside.replicate()
            yield inside


def reject_records(inside: Inside, topic: str, names: Mapping[str, str]) -> None:
    """Have share groups reject the one record of a topic, so that brokers make the topics that the groups name for it.

    Args:
        inside: The brokers, whose Kafka is 4.4.0 or newer.
        topic: What they read.
        names: Of the topics, by group.
    """
    run = partial(run_tool, inside.broker, class_path=inside.broker._class_path)  # of their release
    for group, name in names.items():
        named = f"share.auto.offset.reset=earliest,errors.deadletterqueue.topic.name={name}"
        groups = ["--entity-type", "groups", "--entity-name", group, "--add-config", named]
        run("kafka.admin.ConfigCommand", "--alter", *groups)
    run("org.apache.kafka.tools.ConsoleProducer", "--topic", topic, input="rejected\n")
    for group in names:
        consume = ["--topic", topic, "--group", group, "--reject", "--max-messages", "1"]
        run("org.apache.kafka.tools.consumer.ConsoleShareConsumer", *consume)
