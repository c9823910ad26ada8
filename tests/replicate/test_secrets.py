"""Secrets that change while a replicator runs."""

from tests.fixtures.conditions import eventually
from tests.replicate.fake import FakeSource
from tests.replicate.replicas import holds, running, topics
from warden.files.secret import Secret
from warden.opa.local import LocalOpa
from warden.opa.tokens import Tokens


def test_opa_is_restarted_with_new_tokens(shipped_bundle, opa_binary, tmp_path):
    """After the refusal the token's file is read again, and the replica is whole, without asking the source anew."""
    file = tmp_path / "token"
    source = FakeSource("fake-tokens", topics(3))
    with LocalOpa(shipped_bundle, opa=opa_binary) as opa:
        file.write_text(opa.tokens.replicator)
        with running(opa, source, secret=Secret("test", file=file)) as replicator:
            (status,) = replicator.statuses
            eventually(lambda: status.problem() is None, "the first load")
            opa.tokens = Tokens.generate()
            opa.restart()
            eventually(lambda: "refused this caller (401)" in (status.problem() or ""), "the refusal")
            file.unlink()
            eventually(lambda: status.counts["checks", ""] > 2, "a look without the file")
            file.write_text(opa.tokens.replicator)
            with opa.client(opa.tokens.replicator) as client:
                eventually(lambda: holds(client, source, topics(3)), "the replica with the new token")
            eventually(lambda: status.problem() is None, "being ready")

    assert 1 == source.loads
    assert 0 == status.counts["errors", "writer"]
