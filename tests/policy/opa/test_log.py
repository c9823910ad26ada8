"""What OPA's log shows of decisions, and what it must not show."""

import json

import pytest

from tests.policy.opa.seeded import INNOCENT, SEEDED
from warden.base.errors import OpaUndefined
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.log import find_bundle_error, read_last_error

SECRET = "hunter22"


def decisions(opa):
    """Return the decision log's entries by path; OPA must have been stopped, so that all is written."""
    entries = [json.loads(line) for line in opa.log.read_text().splitlines() if line.startswith("{")]
    return [entry for entry in entries if entry.get("msg") == "Decision Log" and entry["path"] != "catalog/revision"]


@pytest.mark.opa
def test_secrets_are_masked(opa_binary, small_bundle, tmp_path):
    """The caller gets the answer as it is; the log has neither secrets nor tokens, wherever they stood."""
    documents = [
        {"configs": {"sasl.jaas.config": SECRET, "retention.ms": "1"}},
        {
            "request": {
                "configs": {"mode": "incremental", "ops": [{"name": "ssl.key.password", "op": "SET", "value": SECRET}]}
            }
        },
        {"items": {"prod/a b%": {"request": {"ops": [{"key": "client.secret", "value": SECRET}]}}}},
        {"kind": "Secret", "data": {"a": SECRET}},
    ]
    with LocalOpa(small_bundle, opa=opa_binary, directory=tmp_path / "opa") as opa, opa.build_client() as client:
        answers = [client.evaluate("kafka/lists/check", document) for document in documents]
    log = opa.log.read_text()

    assert documents == answers
    assert json.loads(json.dumps(documents).replace(SECRET, "***")) == [entry["input"] for entry in decisions(opa)]
    assert json.loads(json.dumps(documents).replace(SECRET, "***")) == [entry["result"] for entry in decisions(opa)]
    assert [] == [secret for secret in (SECRET, *opa.tokens.environment.values()) if secret in log]


@pytest.mark.opa
def test_seeded_secrets(opa_binary, small_bundle, tmp_path):
    """Of sixty secrets none is in the log, in an input or a result, and what is none is there as it is."""
    with LocalOpa(small_bundle, opa=opa_binary, directory=tmp_path / "opa") as opa, opa.build_client() as client:
        for document in [*(document for _, document in SEEDED), *INNOCENT]:
            client.evaluate("kafka/lists/check", document)
    log, entries = opa.log.read_text(), decisions(opa)

    assert 60 <= len(SEEDED) == len(entries) - len(INNOCENT)
    assert [] == [document for secret, document in SEEDED if secret in log]
    assert INNOCENT == [entry["input"] for entry in entries[len(SEEDED) :]]
    assert INNOCENT == [entry["result"] for entry in entries[len(SEEDED) :]]


@pytest.mark.opa
def test_a_replicators_reads_are_not_logged(opa_binary, small_bundle, tmp_path):
    """What it writes and reads again leaves no line, and not a byte of the state; decisions by its token do."""
    with (
        LocalOpa(small_bundle, opa=opa_binary, directory=tmp_path / "opa") as opa,
        opa.build_client(opa.tokens.replicator) as client,
    ):
        client.put_data(["clusters", "prod"], {"topics": {"seen.only.here": {}}})
        for path in (["clusters", "prod", "topics", "seen.only.here"], ["clusters", "prod"], ["clusters"]):
            client.get_data(path)
        with pytest.raises(OpaUndefined):
            client.get_data(["kubernetes", "members", "seen.only.here"])
        client.decide({"say": "yes"})

    assert ["kafka/decision"] == [entry["path"] for entry in decisions(opa)]
    assert "seen.only.here" not in opa.log.read_text()


LOG = """\
{"level":"error","msg":"Bundle load failed: old","plugin":"bundle"}
{"level":"info","msg":"hello","plugin":"bundle"}
not json
{"level":"error","msg":"Bundle load failed: new","plugin":"bundle"}
{"level":"error","msg":"Unable to listen","err":"address already in use"}
{"level":"info","msg":"bye"}
"""
LATE = (
    '{"level":"error","plugin":"bundle","msg":"Bundle load failed: request failed: '
    'Get \\"http://127.0.0.1:1/bundle.tar.gz\\": net/http: timeout awaiting response headers"}\n'
)


@pytest.mark.parametrize(
    ("text", "since", "trouble", "words"),
    [
        (LOG, 0, "Bundle load failed: new", "Unable to listen address already in use"),
        (LOG, len(LOG) - 20, None, 'bye"}'),
        (LATE, 0, None, "timeout awaiting response headers"),
        ("", 0, None, "it said nothing"),
        ("\n error: flag unknown \n\n", 0, None, "error: flag unknown"),
        ("[1]\nnull\n", 0, None, "null"),
    ],
)  # fmt: skip
def test_what_went_wrong(tmp_path, text, since, trouble, words):
    """The last complaint about a bundle, and the last words of an OPA that ended."""
    log = tmp_path / "opa.log"
    log.write_text(text)

    assert (trouble, words) == (find_bundle_error(log, since), read_last_error(log, since)[-len(words) :])


def test_no_log(tmp_path):
    """An OPA that never wrote has said nothing."""
    assert (None, "it said nothing") == (find_bundle_error(tmp_path / "x"), read_last_error(tmp_path / "x"))
