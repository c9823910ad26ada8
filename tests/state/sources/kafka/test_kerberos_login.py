"""Logins by Kerberos at a real KDC and a real broker: Kafka's own tool and this one log in with the very same file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from kafka.protocol.metadata import MetadataRequest

from tests.fixtures.brokers.kerberos import REALM, Realm
from tests.fixtures.brokers.kerberos_parts import find_kerberos
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import KafkaError, ToolchainError, WardenError
from warden.demo.class_path import build_class_path
from warden.demo.java import run_java
from warden.demo.local_broker import LocalBroker
from warden.state.sources.kafka.live.polling import LiveCluster
from warden.state.sources.kafka.login.connection import Connection, connect
from warden.state.sources.kafka.read.collect import collect

pytestmark = [pytest.mark.kafka]

MODULE = "com.sun.security.auth.module.Krb5LoginModule"
LISTENER = "listener.name.sasl_plaintext."
SESSION = 6
"""Seconds after which the broker wants another login on the same connection (KIP-368)."""
KEYTAB = 'useKeyTab=true storeKey=true keyTab="{alice}" principal="alice@WARDEN.TEST"'
CACHE = 'useTicketCache=true ticketCache="{tickets}"'


@pytest.fixture(scope="module")
def realm() -> Iterator[Realm]:
    """One whose configuration is this process's, with gssapi to import."""
    try:
        parts = find_kerberos()
    except ToolchainError as missing:
        pytest.skip(str(missing))
    with pytest.MonkeyPatch.context() as patch, Realm(parts) as running:
        patch.syspath_prepend(parts / "python")
        patch.setenv("KRB5_CONFIG", str(running.configuration))
        patch.setenv("KRB5CCNAME", f"FILE:{running.directory / 'default.cache'}")
        yield running


@pytest.fixture(scope="module")
def broker(realm: Realm) -> Iterator[LocalBroker]:
    """One whose service is kafka, and on which alice, short and anybody without a login may look at things."""
    keytab = realm.principal("kafka/localhost")
    server = f'{MODULE} required useKeyTab=true storeKey=true keyTab="{keytab}" principal="kafka/localhost@{REALM}";'
    given = {
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS;User:alice;User:short",
        "sasl.enabled.mechanisms": "GSSAPI",
        "sasl.kerberos.service.name": "kafka",
        f"{LISTENER}gssapi.sasl.jaas.config": server,
        f"{LISTENER}gssapi.connections.max.reauth.ms": str(SESSION * 1000),
    }
    options = [f"-Djava.security.krb5.conf={realm.configuration}"]
    with LocalBroker(properties=given, sasl_users={"x": "y"}, options=options) as running:
        yield running


@pytest.fixture(scope="module")
def places(realm: Realm, broker: LocalBroker) -> dict[str, str]:
    """Keytabs and caches of tickets, by the names that the cases have for them."""
    alice, short = realm.principal("alice"), realm.principal("short", seconds=4)
    old = realm.directory / "old.keytab"
    old.write_bytes(realm.principal("old").read_bytes())
    realm.administer("change_password -randkey old")
    realm.principal("other/localhost")
    ended = realm.tickets("short", short)
    eventually(lambda: realm.has_ended(ended), "the ticket ends")
    (realm.directory / "default.cache").write_bytes(realm.tickets("alice", alice).read_bytes())
    found = {"alice": alice, "short": short, "old": old, "tickets": realm.tickets("alice", alice), "ended": ended}
    found |= {"bob": realm.principal("bob"), "none": realm.directory / "none", "empty": realm.directory / "empty"}
    found["empty"].touch()
    return {name: str(path) for name, path in found.items()}


def login(options: str, places: dict[str, str], service: str = "kafka") -> dict[str, str]:
    """The properties of a login with some options."""
    jaas = f"{MODULE} required {options.format(**places)};"
    given = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "GSSAPI", "sasl.jaas.config": jaas}
    return {**given, **({"sasl.kerberos.service.name": service} if service else {})}


@pytest.mark.parametrize("options", [KEYTAB, CACHE, "useTicketCache=true"])
def test_logs_in(broker: LocalBroker, places: dict[str, str], options: str) -> None:
    """As alice, who may look at configs: by keytab, by a cache of tickets and by that of the system."""
    found = collect(broker.sasl_bootstrap_servers, security=login(options, places), timeout=60)

    assert found["brokers"]


@pytest.mark.parametrize(
    ("options", "service", "said"),
    [
        (KEYTAB.replace("{alice}", "{none}"), "kafka", "keyTab {none}: no such file, or it has nothing of this"),
        (CACHE.replace("{tickets}", "{ended}"), "kafka", "ticketCache {ended}: the ticket has ended"),
        (CACHE + " storeKey=true", "kafka", "sasl.jaas.config: storeKey needs a keytab, and ticketCache {tickets} has"),
        (KEYTAB, "nobody", "service nobody@localhost (Server nobody/localhost@WARDEN.TEST not found in Kerberos"),
        (KEYTAB.replace("alice", "old"), "kafka", "no ticket for old@WARDEN.TEST (keyTab {old}: "),
    ],
)  # fmt: skip
def test_what_is_wrong(broker: LocalBroker, places: dict[str, str], options: str, service: str, said: str) -> None:
    """One sentence says what Kerberos says, and of what."""
    with pytest.raises(KafkaError) as raised:
        connect(broker.sasl_bootstrap_servers, security=login(options, places, service), timeout=60)

    assert said.format(**places) in str(raised.value)


@pytest.mark.slow
def test_tickets_that_end_while_a_cluster_is_followed(
    realm: Realm, broker: LocalBroker, places: dict[str, str]
) -> None:
    """As `warden replicate` looks: the broker ends each session, and by then the ticket of the login has ended too."""
    with connect(broker.sasl_bootstrap_servers, security=login(KEYTAB.replace("alice", "short"), places)) as connection:
        cluster = LiveCluster(connection, budget=10)
        seen = [cluster.poll(activity=True)]
        first = realm.issued("short", "kafka/localhost")

        def logged_in_again() -> bool:
            seen.append(cluster.poll(activity=True))
            return realm.issued("short", "kafka/localhost") >= first + 2

        eventually(logged_in_again, "two more logins, with tickets of their own")
    assert [{}] * len(seen) == seen


def test_a_kdc_that_is_away_for_a_while(realm: Realm, broker: LocalBroker, places: dict[str, str]) -> None:
    """The next login fails, and says so; once the KDC is back the same connection is logged in again."""
    security = login(KEYTAB.replace("alice", "short"), places)
    with connect(broker.sasl_bootstrap_servers, security=security, timeout=5) as connection:
        realm.stop_kdc()
        try:
            said = eventually(lambda: _failure(connection), "the session ends")
        finally:
            realm.start()
        eventually(lambda: not _failure(connection), "it is logged in again")
    why = f"keyTab {places['short']}: the ticket has ended, and no other is given"
    assert f"Kerberos gives no ticket for short@{REALM} ({why}): check sasl.jaas.config and krb5.conf" == said


def _failure(connection: Connection) -> str:
    try:
        connection.send(MetadataRequest(topics=[]), check=False)
    except WardenError as error:
        return str(error)
    return ""


CASES = [
    (KEYTAB, "kafka", True),
    (KEYTAB.replace("@WARDEN.TEST", ""), "kafka", True),
    (KEYTAB + ' serviceName="kafka"', "kafka", True),
    (KEYTAB + ' serviceName="kafka"', "", True),
    (KEYTAB + ' serviceName="other"', "kafka", False),
    (KEYTAB + " doNotPrompt=true isInitiator=true debug=false refreshKrb5Config=true", "kafka", True),
    (KEYTAB, "", False),
    (KEYTAB, "other", False),
    (KEYTAB, "nobody", False),
    (KEYTAB.replace("@WARDEN", "@OTHER"), "kafka", False),
    (KEYTAB.replace("alice@", "bob@"), "kafka", False),
    (KEYTAB.replace("alice@", "none@"), "kafka", False),
    (KEYTAB.replace("{alice}", "{none}"), "kafka", False),
    (KEYTAB.replace("{alice}", "{empty}"), "kafka", False),
    (KEYTAB.replace("{alice}", "FILE:{alice}"), "kafka", True),
    (KEYTAB.replace("alice", "old"), "kafka", False),
    (KEYTAB.replace("useKeyTab=true ", ""), "kafka", False),
    (KEYTAB.replace("true", "TRUE"), "kafka", True),
    (KEYTAB.replace("useKeyTab=true", "useKeyTab=yes"), "kafka", False),
    (KEYTAB.replace(' principal="alice@WARDEN.TEST"', ""), "kafka", False),
    ("", "kafka", False),
    ("doNotPrompt=true", "kafka", False),
    ("useTicketCache=true", "kafka", True),
    ("useTicketCache=true renewTGT=true", "kafka", True),
    ("renewTGT=true " + KEYTAB, "kafka", False),
    (CACHE, "kafka", True),
    (CACHE + ' principal="alice@WARDEN.TEST"', "kafka", True),
    (CACHE + ' principal="bob@WARDEN.TEST"', "kafka", False),
    (CACHE + " storeKey=true doNotPrompt=true", "kafka", False),
    (CACHE.replace("useTicketCache=true ", ""), "kafka", False),
    (CACHE.replace("{tickets}", "{ended}"), "kafka", False),
    (CACHE.replace("{tickets}", "{none}"), "kafka", False),
    (CACHE.replace("{tickets}", "{ended}") + " " + KEYTAB, "kafka", True),
    (CACHE.replace("{tickets}", "{none}") + " " + KEYTAB, "kafka", True),
    (CACHE + " storeKey=true", "kafka", False),
    (CACHE + " " + KEYTAB, "kafka", False),
    (CACHE + " " + KEYTAB.replace("storeKey=true ", ""), "kafka", True),
    (CACHE + " " + KEYTAB.replace("storeKey=true ", "").replace("{alice}", "{none}"), "kafka", True),
]
"""Options, the service's name, whether both log in."""


@pytest.mark.oracle
@pytest.mark.parametrize(("options", "service", "logs_in"), CASES)
def test_logs_in_where_kafka_does(
    realm: Realm,
    broker: LocalBroker,
    places: dict[str, str],
    tmp_path: Path,
    options: str,
    service: str,
    logs_in: bool,
) -> None:
    """Kafka's own tool and this one, with the very same file."""
    given, file = login(options, places, service), tmp_path / "client.properties"
    file.write_text("".join(f"{name}={text}\n" for name, text in given.items()), encoding="ascii")
    describe = ["--bootstrap-server", broker.sasl_bootstrap_servers, "--command-config", str(file), "--describe",
                "--entity-type", "brokers", "--entity-name", "1"]  # fmt: skip
    conf = [f"-Djava.security.krb5.conf={realm.configuration}"]
    limit = PATIENCE if logs_in else 30  # some logins that are refused are tried again and again
    theirs = ours = ""
    try:
        run_java("kafka.admin.ConfigCommand", describe, class_path=build_class_path(), options=conf, timeout=limit)
    except KafkaError as error:
        theirs = str(error)
    try:
        collect(broker.sasl_bootstrap_servers, security=given, timeout=limit)
    except WardenError as error:
        ours = str(error)

    assert (logs_in, logs_in) == (not theirs, not ours), f"Kafka: {theirs}\nWarden: {ours}"
