"""Applications' own files beside a real cluster's replica, up to what the rules about them say in a real OPA."""

import os

import pytest

from tests.fixtures.conditions import eventually
from tests.state.replicate.clusters import replica_of, replicating, write_config
from warden.state.sources.kafka.client_configs.watched_client_files import ClientFiles

_FILE = "compression.type=%s\nlinger.ms=5\n"


def _replace(path, text):
    """At once: nobody may see half of it."""
    path.with_suffix(".new").write_text(text)
    path.with_suffix(".new").replace(path)


@pytest.mark.kafka
@pytest.mark.opa
def test_what_files_say_is_evaluated(broker, opa, client, tmp_path):
    """By KFK-CLI-002 and 004; what changes is evaluated anew, a broken file is reported and takes nothing away."""
    directory = tmp_path / "clients"
    billing = directory / "alice" / "billing"
    billing.mkdir(parents=True)
    (billing / "producer.properties").write_text(_FILE % "none")
    (billing / "consumer.properties").write_text("group.id=billing\nfetch.max.wait.ms=5\n")

    def said():
        question = {"cluster": "files", "request": {"entity": {"user": "alice", "clientId": "billing"}}}
        return client.decide({"operation": "AuditClientConfigs", **question})["warnings"]

    whose = "user alice, clientId billing"
    fetch = f"KFK-CLI-004: consumers of {whose} have fetch.max.wait.ms=5, which is below the minimum of 100"
    codec = f"KFK-CLI-002: producers of {whose} compress with none; allowed are zstd, lz4, snappy, gzip"
    with replicating(write_config(tmp_path, opa, broker, "files", clientFiles="clients")):
        eventually(lambda: said() == [codec, fetch], "both rules' warnings")
        _replace(billing / "producer.properties", _FILE % "zstd")
        eventually(lambda: said() == [fetch], "one warning less")
        _replace(billing / "producer.properties", "client.id=other\n")
        place = f"{billing}/producer.properties:1: client.id: 'other' is not"
        eventually(
            lambda: any(
                f"staticClientConfigs: {place}" in line for line in replica_of(client, "files")["meta"]["missing"]
            ),
            "the file's name",
        )
        assert said() == [fetch]


def test_files_that_change(tmp_path):
    """They are read again when one changed, came or went; nothing is known before they could be read."""
    path = tmp_path / "alice" / "producer.properties"
    path.parent.mkdir()
    path.write_text("client.id=x\n")
    files = ClientFiles(tmp_path)
    seen = [(dict(files.read_part()), files.problem is None)]
    for at, text in enumerate(("acks=1\n", "acks=1\n\\u", "acks=0\n"), 1):
        path.write_text(text)
        os.utime(path, ns=(at, at))
        seen.append((dict(files.read_part()), files.problem is None))
    path.unlink()
    seen.append((dict(files.read_part()), files.problem is None))

    def saying(acks):
        return {"staticClientConfigs": {"alice": {"": {"producer": {"acks": acks}}}}}

    assert seen == [
        ({}, False),
        (saying("1"), True),
        (saying("1"), False),
        (saying("0"), True),
        ({"staticClientConfigs": {}}, True),
    ]
