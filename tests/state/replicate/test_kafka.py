"""A real cluster in a real OPA: everything arrives, and then OPA's replica equals the cluster."""

import json
import threading
from datetime import UTC, datetime

import pytest

from tests.fixtures.brokers.groups import commit, member
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.state.replicate.clusters import (
    alter,
    create,
    delete,
    replica_of,
    replicating,
    same,
    write_config,
)
from warden.state.sources.kafka.live.polling import LiveCluster
from warden.state.sources.kafka.login.connection import connect

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


def _topics(client, name):
    return replica_of(client, name).get("topics", {})


def test_every_part_of_the_state(broker, opa, client, connection, tmp_path):
    """As a snapshot reads it; with consumers, writes, users, owners and an age in decisions besides."""
    from kafka import KafkaProducer

    create(connection, "pay.orders", partitions=2, cleanup_policy="delete", retention_bytes="100")
    create(connection, "pay_invoices", "idle")
    create(connection, "labels", cleanup_policy="compact")
    commit(connection, "billing", "pay.orders")
    run_tool(
        broker,
        "kafka.admin.ConfigCommand",
        "--alter",
        "--entity-type",
        "users",
        "--entity-name",
        "alice",
        "--add-config",
        "SCRAM-SHA-256=[iterations=4096,password=x]",
    )
    run_tool(broker, "AclCommand", "--add", "--allow-principal", "User:alice", "--operation", "Read", "--topic", "idle")
    producer = KafkaProducer(bootstrap_servers=broker.bootstrap_servers)
    producer.send("pay.orders", b"x", partition=1, timestamp_ms=1_760_000_000_000)
    producer.send("labels", key=b"idle", value=json.dumps({"owner": "archive", "madeBy": "User:bob"}).encode())
    producer.send("labels", key=b"pay_invoices", value=b"no json")
    producer.flush()
    owners = {"principal": "madeBy", "from": [{"pattern": r"(?P<owner>pay)\..*"}, {"topic": "labels"}]}
    config = write_config(tmp_path, opa, broker, "parts", owners=owners, assumeNoDeletions=True)
    with member(broker.bootstrap_servers, "idle", "live"), replicating(config) as replicator:
        eventually(
            lambda: same(client, broker, "parts") and "alice" in replica_of(client, "parts")["users"], "the replica"
        )
        replica = replica_of(client, "parts")
        producer.send("labels", key=b"pay_invoices", value=json.dumps({"owner": "pay"}).encode())
        producer.send("labels", key=b"idle", value=None)
        producer.flush()
        eventually(lambda: _topics(client, "parts")["pay_invoices"]["labels"] == {"owner": "pay"}, "the new label")
        eventually(lambda: _topics(client, "parts")["idle"]["labels"] == {}, "the label that went")
        eventually(lambda: replica_of(client, "parts")["meta"]["missing"] == [], "nothing that is not known")
        decision = client.decide({"operation": "AuditTopic", "cluster": "parts", "request": {"topic": "idle"}})
        decided = datetime.now(UTC)
        eventually(lambda: replicator.statuses[0].find_problem() is None, "being ready")
    producer.close()

    assert ({}, {"scram": {"SCRAM-SHA-256": {"iterations": 4096}}}) == (
        replica["users"]["ANONYMOUS"],
        replica["users"]["alice"],
    )
    assert {"billing": {"members": 0, "offsets": {"0": 0}}} == replica["consumers"]["pay.orders"]
    assert {"live": {"members": 1, "offsets": {}}} == replica["consumers"]["idle"]
    assert ("2025-10-09T08:53:20.000Z", None) == (replica["writes"]["pay.orders"], replica["writes"]["idle"])
    assert {
        "archive": {"topics": 1, "partitions": 1, "retainedBytes": 0, "unboundedReplicas": 1},
        "pay": {"topics": 1, "partitions": 2, "retainedBytes": 200, "unboundedReplicas": 0},
    } == replica["totals"]["byOwner"]
    assert {"User:bob": {"topics": 1, "partitions": 1}} == replica["totals"]["byPrincipal"]
    assert ({"lastHour": 0}, True) == (replica["deletions"], replica["meta"]["labels"])
    assert ["labels: topic labels: the labels of 'pay_invoices' are not a JSON object of strings"] == replica["meta"][
        "missing"
    ]
    assert 0 <= decision["stateAge"] < (decided - datetime(2026, 1, 1, tzinfo=UTC)).total_seconds()


def test_a_login_whose_password_is_corrected(broker, opa, client, tmp_path):
    """SCRAM with the password in a file: reported without it; the file is read again at the next attempt."""
    user = ["--entity-type", "users", "--entity-name", "bob", "--add-config", "SCRAM-SHA-256=[password=right]"]
    run_tool(broker, "kafka.admin.ConfigCommand", "--alter", *user)
    jaas = tmp_path / "jaas"
    jaas.write_text('ScramLoginModule required username="bob" password="wr0ng";\n')
    protocol = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "SCRAM-SHA-256"}
    properties = {**protocol, "sasl.jaas.config": {"file": "jaas"}}
    more = {"properties": properties, "bootstrapServers": broker.sasl_bootstrap_servers}
    with replicating(write_config(tmp_path, opa, broker, "login", **more)) as replicator:
        (status,) = replicator.statuses
        refusal = eventually(lambda: status.source_error, "the refusal")
        jaas.write_text('ScramLoginModule required username="bob" password="right";\n')
        eventually(lambda: same(client, broker, "login"), "the replica")

    assert "refused the login" in refusal
    assert "wr0ng" not in refusal


def test_changes_and_the_same_name_again(broker, opa, client, connection, tmp_path):
    """Created, altered, given partitions, deleted, and made anew under the same name between two polls."""
    kept, doomed, made = (f"{name}-{tmp_path.name}" for name in ("kept", "doomed", "made"))  # of this run alone
    create(connection, kept, doomed)
    with replicating(write_config(tmp_path, opa, broker, "changes")) as replicator:
        eventually(lambda: same(client, broker, "changes"), "the first load")
        create(connection, made, retention_ms="1")
        alter(connection, kept, cleanup_policy="compact")
        connection.admin.create_partitions({kept: 3})
        delete(connection, doomed)
        eventually(
            lambda: (
                doomed not in _topics(client, "changes")
                and _topics(client, "changes").get(kept, {}).get("configs") == {"cleanup.policy": "compact"}
                and _topics(client, "changes")[kept]["numPartitions"] == 3
                and _topics(client, "changes").get(made, {}).get("configs") == {"retention.ms": "1"}
            ),
            "all changes",
        )
        before = _topics(client, "changes")[made]["topicId"]
        delete(connection, made)
        create(connection, made)
        eventually(
            lambda: _topics(client, "changes").get(made, {}).get("topicId") not in (None, before), "another topic"
        )
        eventually(lambda: same(client, broker, "changes"), "the replica")
        (status,) = replicator.statuses

    assert {} == _topics(client, "changes")[made]["configs"]
    # A topic that is made anew between a poll and the question whether it is gone: all is read again, nothing is lost.
    again = status.counts["reloads", "stale"]
    assert (1, 1 + again) == (status.counts["writes", "swap"], status.counts["loads", "requested"])
    assert [] == [name for name in status.counts if name[0] in ("errors", "repairs") or name == ("reloads", "marker")]


def test_topics_come_and_go_during_full_loads(broker, opa, client, connection, tmp_path):
    """While topics are made and deleted all the time, every load succeeds; when that ends, the replica is right."""
    over = threading.Event()

    def churn():
        number = 0
        with connect(broker.bootstrap_servers, timeout=PATIENCE) as own:
            while not over.is_set():
                create(own, *(f"churn.{number}.{part}" for part in range(3)))
                if number:
                    delete(own, *(f"churn.{number - 1}.{part}" for part in range(2)))
                number += 1

    churning = threading.Thread(target=churn)
    churning.start()
    try:
        with replicating(write_config(tmp_path, opa, broker, "churn", compare=0.5)) as replicator:
            (status,) = replicator.statuses
            eventually(lambda: status.counts["loads", "compare"] >= 3, "several loads")
            over.set()
            churning.join()
            eventually(lambda: same(client, broker, "churn"), "the replica")
    finally:
        over.set()
        churning.join()

    assert 0 == status.counts["errors", "source"]
    delete(connection, *(name for name in _topics(client, "churn") if name.startswith("churn.")))


def test_looks_at_a_quiet_cluster_decode_nothing(broker, connection):
    """Every answer is requested again, and is the same to the byte; a change is decoded alone."""
    create(connection, "quiet")
    live = LiveCluster(connection, 1000)
    eventually(lambda: "quiet" in live.poll(activity=True) or "quiet" in live.all_topics, "the topic")
    eventually(lambda: _decoded(live) == 0, "a poll that decodes nothing")
    alter(connection, "quiet", retention_ms="9")
    eventually(lambda: live.poll(activity=False) or live.all_topics["quiet"]["configs"], "the change")
    changed = live.all_topics["quiet"]["configs"]
    delete(connection, "quiet")

    assert {"retention.ms": "9"} == changed


def _decoded(live):
    before = live.decoded_count
    assert {} == live.poll(activity=False)
    return live.decoded_count - before


def _once(path, *flags):
    from click.testing import CliRunner

    from warden.commands.replicate import command

    return CliRunner().invoke(command, ["--config", str(path), "--once", *flags], standalone_mode=False)


def _unchanged(path):
    """The dry run that finds OPA equal; where an earlier test's last traces have gone meanwhile, written once more."""
    found = _once(path, "--dry-run")
    return found if found.return_value == 0 else not _once(path)


def test_once_and_what_it_would_write(broker, opa, client, connection, tmp_path):
    """A dry run writes nothing and shows the difference; afterwards OPA has all of it, until the cluster changes."""
    name = f"once-{tmp_path.name}"  # of this run alone: OPA keeps what an earlier one wrote
    create(connection, name)
    config = write_config(tmp_path, opa, broker, name)

    first = _once(config, "--dry-run")
    untouched = replica_of(client, name)
    written = _once(config, "--output", "json")
    again = eventually(lambda: _unchanged(config), "the broker's coming to rest")
    equal = eventually(lambda: same(client, broker, name) or not _once(config), "the replica")
    alter(connection, name, retention_ms="7")
    eventually(lambda: f"/topics/{name}/configs" in _once(config, "--dry-run").stdout, "the broker knows the change")
    changed = _once(config, "--dry-run", "--output", "json")
    with replicating(config) as replicator:
        eventually(lambda: replicator.statuses[0].loaded, "a replicator that runs")
        refused = eventually(lambda: _once(config).exception, "the refusal, while the replicator's lease is new")
    delete(connection, name)

    assert (1, {}, True) == (first.return_value, untouched, equal)
    assert "  OPA has nothing of it: " in first.stdout
    (outcome,) = json.loads(written.stdout)
    assert (0, f"kafka/{name}", True, None) == (
        written.return_value,
        *(outcome[k] for k in ("source", "written", "previous")),
    )
    assert (0, "  OPA has all of it") == (again.return_value, again.stdout.splitlines()[1])
    assert [{"op": "replace", "path": f"/topics/{name}/configs", "value": {"retention.ms": "7"}}] == [
        operation
        for operation in json.loads(changed.stdout)[0]["operations"]
        if operation["path"].startswith("/topics/")
    ]
    assert "writes it: stop that one, or use --dry-run" in str(refused)
