"""ACLs through the gateway, and the changes that close a cluster to everybody but the gateway's host."""

import json
import shlex
from typing import Any

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    NewTopic,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialDeletion,
    UserScramCredentialUpsertion,
)

from tests.enforce.gateway.running import RunningGateway, write_config
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.commands import EXIT_DENIED, EXIT_OK, main
from warden.enforce.gateway.acls import format_commands, plan_acl_changes, split_acl

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

ALLOW, LITERAL, PREFIXED = AclPermissionType.ALLOW, ResourcePatternType.LITERAL, ResourcePatternType.PREFIXED
HOST = "127.0.0.2"  # the gateway's, where clients come from 127.0.0.1
USER = "User:carol"
AUTHORIZER = "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer"
OPERATIONS = {"CLUSTER": ["CREATE", "DESCRIBE", "CLUSTER_ACTION", "IDEMPOTENT_WRITE"]}


def topic_acl(operation, host, name="closed.", pattern=PREFIXED, principal=USER):
    """A grant on topics."""
    return AclBinding(ResourceType.TOPIC, name, pattern, principal, host, operation, ALLOW)


def outcome(futures):
    """The name and text of each error, None where there is none, in the order of the futures."""
    found: list[tuple[str, str] | None] = []
    for future in futures.values():
        try:
            future.result(PATIENCE)
            found.append(None)
        except KafkaException as error:
            found.append((error.args[0].name(), error.args[0].str()))
    return found


def test_acls_are_decided_one_by_one(gateway, broker):
    """Of three grants in one request one is denied, and the answers stand in the request's order."""
    admin = AdminClient({"bootstrap.servers": gateway.address()})
    bindings = [
        topic_acl(AclOperation.READ, "*", "acl.one", LITERAL),
        topic_acl(AclOperation.READ, "*", "acl.two", LITERAL, "User:*"),
        topic_acl(AclOperation.READ, "*", "acl.three", LITERAL),
    ]
    found = outcome(admin.create_acls(bindings))

    assert [None, None] == [found[0], found[2]]
    assert ("POLICY_VIOLATION", True) == (found[1][0], "KFK-ACL-001" in found[1][1])
    listed = lambda: run_tool(broker, "AclCommand", "--list")  # noqa: E731 - one line of it
    eventually(lambda: "acl.one" in listed() and "acl.three" in listed(), "the broker knows what is granted")
    assert "acl.two" not in listed()
    anything: Any = None
    every = AclBindingFilter(
        ResourceType.ANY, anything, ResourcePatternType.ANY, USER, anything, AclOperation.ANY, AclPermissionType.ANY
    )
    assert [None] == outcome(admin.delete_acls([every]))
    eventually(lambda: "acl.one" not in listed(), "the broker knows what is taken away")


def test_quotas_go_through(gateway, broker):
    """AlterClientQuotas, by Kafka's own tool."""
    from tests.enforce.gateway.clients.test_clients import tool

    change = ("--alter", "--entity-type", "users", "--entity-name", "quota-user", "--add-config")
    tool(gateway, "ConfigCommand", *change, "producer_byte_rate=2000000", package="kafka.admin")
    described = ("kafka.admin.ConfigCommand", "--describe", "--entity-type", "users", "--entity-name", "quota-user")
    eventually(lambda: "producer_byte_rate=2000000" in run_tool(broker, *described), "the broker knows the quota")


def test_credentials_go_through_and_stay_secret(gateway, broker, replicate, caplog):
    """AlterUserScramCredentials: neither salt nor password is in the log."""
    admin = AdminClient({"bootstrap.servers": gateway.address(), "client.id": "scram-client"})
    info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 8192)
    with caplog.at_level("INFO", "warden.enforce.gateway"):
        upsertion = UserScramCredentialUpsertion("dave", info, b"dont-log-me", b"nor-this-salt")
        assert [None] == outcome(admin.alter_user_scram_credentials([upsertion]))
        described = ("kafka.admin.ConfigCommand", "--describe", "--entity-type", "users", "--entity-name", "dave")
        eventually(lambda: "SCRAM-SHA-256" in run_tool(broker, *described), "the broker knows the credentials")
        replicate()
        deletion = UserScramCredentialDeletion("dave", ScramMechanism.SCRAM_SHA_256)
        assert [None] == outcome(admin.alter_user_scram_credentials([deletion]))
    lines = [vars(one) for one in caplog.records if getattr(one, "clientId", "") == "scram-client"]

    assert ["AlterUserScramCredentials"] * 2 == [line["api"] for line in lines]
    assert "dave" in str(lines)
    assert "dont-log-me" not in str(lines)
    assert "nor-this-salt" not in str(lines)


def printed(capsys, broker, *more):
    """The exit status of the command, and what it prints."""
    with pytest.raises(SystemExit) as end:
        main(["gateway", "acls", "--bootstrap-server", broker.bootstrap_servers, "--host", HOST, *more])
    return end.value.code, capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.usefixtures("replicate")
def test_a_cluster_is_closed_to_everybody_but_the_gateway(broker, gateway_opa, tmp_path, capsys):
    """What the command prints is carried out by Kafka's own tool; then changes work through the gateway alone."""
    direct = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
    info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096)
    assert [None] == outcome(direct.alter_user_scram_credentials([UserScramCredentialUpsertion("carol", info, b"pw")]))
    bindings = [topic_acl(AclOperation.CREATE, "*"), topic_acl(AclOperation.ALL, "*", "closed.all", LITERAL)]
    assert [None, None] == outcome(direct.create_acls(bindings))
    eventually(lambda: "closed.all" in run_tool(broker, "AclCommand", "--list"), "the broker knows the ACLs")

    properties = tmp_path / "server.properties"
    properties.write_text(f"{AUTHORIZER}\nsuper.users=User:ANONYMOUS; User:bob ;\n")
    status, text = printed(capsys, broker, "--check", "--server-properties", str(properties))
    assert EXIT_DENIED == status
    assert f"{USER} may CREATE TOPIC closed. (PREFIXED) from host *" in text
    assert f"{USER} may ALL TOPIC closed.all (LITERAL) from host *" in text
    assert "super users, who pass from anywhere: User:ANONYMOUS, User:bob" in text
    status, text = printed(capsys, broker)
    assert EXIT_DENIED == status
    for line in text.splitlines():
        if not line.startswith("#"):
            command, _, _, *arguments = shlex.split(line)
            assert "kafka-acls.sh" == command
            run_tool(broker, "AclCommand", *arguments)

    def closed():
        status, text = printed(capsys, broker, "--output", "json")
        return (EXIT_OK, []) == (status, json.loads(text)["open"])

    eventually(closed, "the broker knows the changes")
    for lines, message in (
        (f"{AUTHORIZER}\nallow.everyone.if.no.acl.found= TRUE", "is true, so that what has no ACL is open to all"),
        ("process.roles=broker", "authorizer.class.name is not set, so that nothing asks the ACLs"),
    ):
        properties.write_text(f"{lines}\n")
        status, text = printed(capsys, broker, "--check", "--server-properties", str(properties))
        assert (EXIT_DENIED, True) == (status, message in text)
    properties.write_text(f"{AUTHORIZER}\nallow.everyone.if.no.acl.found=false\n")
    status, text = printed(capsys, broker, "--check", "--server-properties", str(properties))
    assert (EXIT_OK, f"# {properties}: super users, who pass from anywhere: none\n") == (status, text)

    login: dict[str, str | int | float | bool] = {
        "sasl.mechanism": "SCRAM-SHA-256",
        "sasl.username": "carol",
        "sasl.password": "pw",
    }
    login["security.protocol"] = "SASL_PLAINTEXT"
    cluster = {"name": "logins", "authentication": "sasl", "brokers": {1: broker.sasl_bootstrap_servers}}
    config = write_config(tmp_path / "gateway.yaml", gateway_opa, [cluster | {"localAddress": HOST}])
    with RunningGateway(config) as gateway:
        past = AdminClient(login | {"bootstrap.servers": broker.sasl_bootstrap_servers})
        assert "TOPIC_AUTHORIZATION_FAILED" == outcome(past.create_topics([NewTopic("closed.a", 1)]))[0][0]
        through = AdminClient(login | {"bootstrap.servers": gateway.address()})
        assert [None] == outcome(through.create_topics([NewTopic("closed.a", 1), NewTopic("closed.all", 1)]))[:1]
        both = {"closed.a", "closed.all"}  # the broker answers before it shows them in its metadata
        eventually(lambda: both <= direct.list_topics(timeout=PATIENCE).topics.keys(), "both topics")
        assert "closed.all" in past.list_topics(timeout=PATIENCE).topics  # DESCRIBE from anywhere is kept


def test_the_rights_are_those_of_the_settings(broker, tmp_path, capsys):
    """What the audit of a cluster does not find is bound to no host; it stays where ALL was granted."""
    direct = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
    operations = {"audited.all": AclOperation.ALL, "audited.one": AclOperation.ALTER_CONFIGS}
    bindings = [
        AclBinding(ResourceType.GROUP, group, LITERAL, "User:erin", "*", operation, ALLOW)
        for group, operation in operations.items()
    ]
    assert [None, None] == outcome(direct.create_acls(bindings))
    eventually(lambda: "audited.one" in run_tool(broker, "AclCommand", "--list"), "the broker knows the ACLs")
    settings = tmp_path / "settings.yaml"
    row = {"match": {"name": "own"}, "rules": {"KFK-ACL-004": {"params": {"rights": {"GROUP": ["DELETE"]}}}}}
    settings.write_text(json.dumps({"clusters": [row]}))

    def list_changes(*more):
        _, text = printed(capsys, broker, "--output", "json", "--settings", str(settings), *more)
        changes = json.loads(text)["changes"]
        return {
            change["remove"]["resourceName"]: [(acl["operation"], acl["host"]) for acl in change["add"]]
            for change in changes
            if change["remove"]["principal"] == "User:erin"
        }

    kept = [(operation, "*") for operation in ("READ", "DESCRIBE", "DESCRIBE_CONFIGS")]
    assert {"audited.one": [("ALTER_CONFIGS", HOST)], "audited.all": [("ALL", HOST), *kept]} == list_changes()
    everywhere = ("ALTER_CONFIGS", "*")
    own = list_changes("--cluster", "own")
    assert {"audited.all": sorted([("ALL", HOST), *kept, everywhere])} == {name: sorted(own[name]) for name in own}


def test_changes_add_before_they_remove():
    """Every line can be pasted into a shell."""
    acl = {
        "resourceType": "CLUSTER",
        "resourceName": "kafka-cluster",
        "patternType": "LITERAL",
        "principal": "User:CN=a b,O=c",
        "host": "*",
        "operation": "ALTER_CONFIGS",
        "permissionType": "ALLOW",
    }
    prefix, carol = "kafka-acls.sh --bootstrap-server k:1", "--allow-principal 'User:CN=a b,O=c'"
    lines = format_commands(plan_acl_changes([acl], [[]], ["10.0.0.7"]), "k:1")

    assert [
        f"{prefix} --add {carol} --allow-host 10.0.0.7 --operation AlterConfigs --cluster",
        f"{prefix} --remove --force {carol} --allow-host '*' --operation AlterConfigs --cluster",
    ] == lines
    assert [] == split_acl(acl, OPERATIONS)
    whole = acl | {"operation": "All"}
    parts = split_acl(whole, OPERATIONS)
    assert [acl | {"operation": operation} for operation in ("CREATE", "DESCRIBE", "IDEMPOTENT_WRITE")] == parts
    (change,) = plan_acl_changes([whole], [parts[1:]], ["10.0.0.7"])
    assert ((whole | {"host": "10.0.0.7"}, *parts[1:]), whole) == (change.add, change.remove)
