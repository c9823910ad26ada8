"""What is pasted: how it travels in a link, what it is taken for, and what is refused."""

import base64
import json
import zlib

import pytest

from warden.base.errors import InputError
from warden.console.policy.pastes import FORMS, MAX_TEXT_BYTES, KafkaRequest, Paste, read_paste

REQUEST = {"topics": [{"name": "a", "numPartitions": 1, "replicationFactor": 1, "configs": []}]}


@pytest.mark.parametrize(
    "paste",
    [
        Paste(text="topic: a\n"),
        Paste(text="é\u202e\x00\ud800", form="input", cluster="prod-eu", point="gateway", principal="User:alice"),
        Paste(text="a: 1", settings="rules: {}", sample=True),
        Paste(text="x" * MAX_TEXT_BYTES),
    ],
)
def test_a_link_holds_all(paste: Paste) -> None:
    """It is a piece of a URL as it stands, and gives the same paste."""
    token = paste.encode_link()

    assert paste == Paste.from_link(token)
    assert token.replace("-", "").replace("_", "").isalnum()
    assert len(token) < 2000


@pytest.mark.parametrize(
    "token",
    [
        *("", "a", "%%%", "AAAA", "s" * 99_999, Paste(text="topic: a").encode_link()[:-4]),
        base64.urlsafe_b64encode(zlib.compress(b"x" * 10_000_000)[2:-4]).decode(),
        base64.urlsafe_b64encode(zlib.compress(b"[1]")[2:-4]).decode(),
        base64.urlsafe_b64encode(zlib.compress(b"[" * 99_999)[2:-4]).decode(),
    ],
)
def test_damaged_links(token: str) -> None:
    """None is half a paste, and none unpacks into more than a paste may have."""
    with pytest.raises(InputError, match="the link is damaged"):
        Paste.from_link(token)


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("auto", "topic: a", b"topic: a"),
        ("auto", '{"apiVersion": "v1"}', b'{"apiVersion": "v1"}'),
        ("auto", '{"broken', b'{"broken'),
        ("auto", "# operation\n{}", b"# operation\n{}"),
        ("auto", ' {"operation": "CreateTopic"}', {"operation": "CreateTopic"}),
        ("input", '{"a": 1}', {"a": 1}),
        ("file", '{"operation": "CreateTopic"}', b'{"operation": "CreateTopic"}'),
        ("auto", json.dumps({"api": "CreateTopics", "request": REQUEST}), KafkaRequest("CreateTopics", None, REQUEST)),
        ("request:CreateTopics", json.dumps(REQUEST), KafkaRequest("CreateTopics", None, REQUEST)),
        (
            "auto",
            "[2026-11-21 10:00:00,000] DEBUG Completed request:"
            + json.dumps(
                {
                    "requestHeader": {"requestApiKeyName": "CREATE_TOPICS", "requestApiVersion": 7},
                    "request": REQUEST,
                }
            ),
            KafkaRequest("CreateTopics", 7, REQUEST),
        ),
    ],
)
def test_what_a_paste_is(form: str, text: str, expected: object) -> None:
    """A decision input, a request as Kafka's log has it, or a file."""
    assert expected == read_paste(Paste(text=text, form=form))


@pytest.mark.parametrize(
    ("paste", "sentence"),
    [
        (Paste(text="  \n"), "nothing was pasted"),
        (Paste(text="é" * MAX_TEXT_BYTES), "text: 131072 bytes: write 65536 at most"),
        (Paste(text="a", settings="x" * 20_000), "settings: 20000 bytes: write 16384 at most"),
        (Paste(text="a", cluster="x" * 301), "cluster: 301 bytes"),
        (Paste(text="a\ud800"), "half a surrogate pair"),
        (Paste(text="a", form="pdf"), "unknown form pdf: write one of auto, "),
    ],
)
def test_what_cannot_be_taken(paste: Paste, sentence: str) -> None:
    """It says what is wrong, and how much may be written."""
    with pytest.raises(InputError, match=sentence):
        paste.check()


@pytest.mark.parametrize(
    ("form", "text", "sentence"),
    [
        ("input", "[]", "a decision input is a JSON object"),
        ("input", "topic: a", "your paste:1: not JSON"),
        ("request:CreateTopics", "", "your paste:1: not JSON"),
        ("auto", '{"operation": "a", "operation": "b"}', "the key .* is there already"),
        ("auto", '{"api": "CreateTopics", "version": "7", "request": {}}', "version: not a whole number"),
    ],
)
def test_what_it_is_not(form: str, text: str, sentence: str) -> None:
    """What it is said to be, it has to be."""
    with pytest.raises(InputError, match=sentence):
        read_paste(Paste(text=text, form=form))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"texts": "a"}, "unknown field texts: write text, the nearest of cluster, form, "),
        ({"text": 1}, "text: not a string"),
        ({"text": None}, "text: not a string"),
        ({"cluster": True}, "cluster: not a string"),
    ],
)
def test_fields(fields: dict[str, object], sentence: str) -> None:
    """An unknown field is named, since a misspelt one would change nothing."""
    with pytest.raises(InputError, match=sentence):
        Paste.from_fields(fields)


def test_every_request_has_a_form() -> None:
    """Those that are decided can be named."""
    assert {"request:CreateTopics", "request:IncrementalAlterConfigs", "request:CreateAcls"} <= FORMS.keys()
