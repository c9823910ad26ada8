"""Key stores of Java's at a real broker: Kafka's own tool and this one log in with the very same file."""

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from tests.fixtures.brokers.java_stores import PASSWORD, Stores, client_properties
from tests.fixtures.patience import PATIENCE
from warden.base.errors import KafkaError, WardenError
from warden.demo.class_path import build_class_path
from warden.demo.java import run_java
from warden.demo.local_broker import LocalBroker
from warden.state.sources.kafka.read.collect import collect

pytestmark = [pytest.mark.kafka, pytest.mark.oracle]

OTHER = "another one"


@pytest.fixture(scope="module")
def broker(stores: Stores) -> Iterator[LocalBroker]:
    """One that wants a certificate of its clients."""
    whole = stores.directory / "broker.pem"
    whole.write_text((stores.directory / "server.key").read_text() + (stores.directory / "server.crt").read_text())
    prefix = "listener.name.sasl_plaintext.ssl"
    given = {
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SSL",
        f"{prefix}.keystore.type": "PEM",
        f"{prefix}.keystore.location": str(whole),
        f"{prefix}.truststore.type": "PEM",
        f"{prefix}.truststore.location": str(stores.authority.certificate),
        f"{prefix}.client.auth": "required",
    }
    with LocalBroker(properties=given, sasl_users={"alice": "secret"}) as running:
        yield running


@pytest.mark.parametrize(
    "changes", [{}, {"ssl.keystore.password": "x"}, {"ssl.truststore.password": ""}, {"ssl.keystore.location": ""},
                {"ssl.key.password": OTHER}, {"ssl.truststore.location": "{key}"},
                {"ssl.truststore.location": "{openssl}"}])  # fmt: skip
def test_logs_in_where_kafka_does(broker: LocalBroker, stores: Stores, tmp_path: Path, changes: dict[str, str]) -> None:
    """Kafka's own tool and this one, with the very same file: stores of both kinds, said to be of either, at once."""
    openssl = stores.directory / "openssl.p12"  # empty for Java
    certificate = ("-in", str(stores.authority.certificate), "-passout", f"pass:{PASSWORD}", "-out", str(openssl))
    subprocess.run(("openssl", "pkcs12", "-export", "-nokeys", *certificate), check=True)
    files = {}
    for kind, said in product(("JKS", "PKCS12"), repeat=2):
        key, trust = (
            stores.key(f"client.{kind}", kind),
            stores.trust(f"trust.{kind}", kind, stores.authority.certificate),
        )
        places = {"{key}": str(key), "{openssl}": str(openssl)}
        changed = {name: places.get(text, text) for name, text in changes.items()}
        given = {"security.protocol": "SSL", **client_properties(key, trust, said, **changed)}
        if not given.get("ssl.keystore.location"):
            given = {name: text for name, text in given.items() if not name.startswith("ssl.keystore")}
        file = tmp_path / f"{kind}.{said}.properties"
        file.write_text("".join(f"{name}={text}\n" for name, text in given.items()), encoding="ascii")
        files[file] = given
    with ThreadPoolExecutor(len(files)) as threads:  # most of the time is Kafka's, which tries again and again
        found = dict(zip(files, threads.map(partial(_log_in, broker, bool(changes)), files.items()), strict=True))

    assert {} == {file.name: both for file, both in found.items() if len(set(both)) > 1}
    assert changes or all(ours for _, ours in found.values())  # what is right logs in: others are refused for a reason


def _log_in(broker: LocalBroker, is_changed: bool, written: tuple[Path, dict[str, str]]) -> tuple[bool, bool]:
    """Whether Kafka's tool logs in with a file, and whether this one does."""
    file, given = written
    describe = ["--bootstrap-server", broker.sasl_bootstrap_servers, "--command-config", str(file), "--describe",
                "--entity-type", "brokers", "--entity-name", "1"]  # fmt: skip
    for limit in (15, PATIENCE):  # some that are refused try again to its end; a slow machine needs more to log in
        theirs = ours = True
        try:
            run_java("kafka.admin.ConfigCommand", describe, class_path=build_class_path(), timeout=limit)
        except KafkaError:
            theirs = False
        try:
            ours = collect(broker.sasl_bootstrap_servers, security=given, timeout=limit)["clusterSize"] == 1
        except WardenError:
            ours = False
        if theirs == ours and (ours or is_changed):
            break
    return theirs, ours
