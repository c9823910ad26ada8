"""Secrets that change while a replicator runs."""

import os
import signal

import pytest

from tests.fixtures.brokers.rights import ALL, LOGIN, grant, revoke
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.state.replicate.clusters import replicating, same, write_config
from tests.state.replicate.fake import FakeSource
from tests.state.replicate.replicas import holds, running, topics
from warden.base.files.secret import Secret
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.tokens import OpaTokens
from warden.state.sources.kafka.login.connection import connect


def test_opa_is_restarted_with_new_tokens(shipped_bundle, opa_binary, tmp_path):
    """After the refusal the token's file is read again, and the replica is whole, without asking the source anew."""
    file = tmp_path / "token"
    source = FakeSource("fake-tokens", topics(3))
    with LocalOpa(shipped_bundle, opa=opa_binary) as opa:
        file.write_text(opa.tokens.replicator)
        with running(opa, source, secret=Secret("test", file=file)) as replicator:
            (status,) = replicator.statuses
            eventually(lambda: status.find_problem() is None, "the first load")
            opa.tokens = OpaTokens.generate()
            opa.restart()
            eventually(lambda: "refused this caller (401)" in (status.find_problem() or ""), "the refusal")
            file.unlink()
            eventually(lambda: status.counts["checks", ""] > 2, "a look without the file")
            file.write_text(opa.tokens.replicator)
            with opa.build_client(opa.tokens.replicator) as client:
                eventually(lambda: holds(client, source, topics(3)), "the replica with the new token")
            eventually(lambda: status.find_problem() is None, "being ready")

    assert 1 == source.loads
    assert 0 == status.counts["errors", "writer"]


def _set_password(broker, password):
    from kafka.admin import ScramMechanism, UserScramCredentialUpsertion

    upsertion = UserScramCredentialUpsertion("nobody", ScramMechanism.SCRAM_SHA_256, password, iterations=4096)
    with connect(broker.bootstrap_servers, timeout=PATIENCE) as connection:
        assert {"nobody": None} == connection.admin.alter_user_scram_credentials([upsertion])


@pytest.mark.kafka
@pytest.mark.opa
@pytest.mark.slow
def test_a_password_of_kafka_is_rotated(broker, opa, client, tmp_path):
    """After the refusal its file is read again: at the start, and once the cluster takes another password only."""
    jaas, template = tmp_path / "jaas", LOGIN["sasl.jaas.config"]
    jaas.write_text(template.replace('"x"', '"wrong"'))
    properties = {**LOGIN, "sasl.jaas.config": {"file": "jaas"}}
    _set_password(broker, "first")
    try:
        with connect(broker.bootstrap_servers, timeout=PATIENCE) as connection:
            grant(connection, *ALL)
        login = {"bootstrapServers": broker.sasl_bootstrap_servers, "properties": properties}
        with replicating(write_config(tmp_path, opa, broker, "rotated", **login)) as replicator:
            (status,) = replicator.statuses
            eventually(lambda: "refused the login" in (status.source_error or ""), "the first refusal")
            jaas.write_text(template.replace('"x"', '"first"'))
            eventually(lambda: same(client, broker, "rotated"), "the replica")
            _set_password(broker, "second")
            os.kill(broker.pid, signal.SIGKILL)  # connections that are open stay so whatever the password is
            broker.restart()
            eventually(lambda: "refused the login" in (status.source_error or ""), "the second refusal")
            jaas.write_text(template.replace('"x"', '"second"'))
            eventually(lambda: status.source_error is None and same(client, broker, "rotated"), "the replica again")
    finally:
        _set_password(broker, "x")
        with connect(broker.bootstrap_servers, timeout=PATIENCE) as connection:
            revoke(connection, None)
