"""Differential test: whose OAUTHBEARER login it is, as the gateway and as a broker's own class reads it."""

import base64
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.fixtures.case_counts import sample_or_all
from warden.enforce.gateway.login.sasl import Login, LoginRefused

pytestmark = pytest.mark.kafka

_SEED = 20261130
_KEYS = ("auth", "AUTH", "Auth", "auths", "a", "host", "", "aut h")
_SCHEMES = ("Bearer ", "bearer  ", "BEARER ", "Basic ", "Bearer", " Bearer ", "Bearer\t", "")
_BEGINNINGS = ("n,,", "n,a=admin,", "n,a==2C=3D,", "n,a=,", "n,a=\x01,", "y,,", "n,", "")
_ENDS = ("\x01\x01", "\x01", "", "\x01\x01\x01", "\x01\x01x", "\x01\x01\n")


def _build_token(name: str) -> str:
    return f"e30.{base64.urlsafe_b64encode(json.dumps({'sub': name}).encode()).decode().rstrip('=')}."


def _iter_messages(chance: random.Random, count: int) -> Iterator[str]:
    """None to three pairs, with a token of another user each; most of each is as clients send it."""
    values = [*(_build_token(f"user-{number}") for number in range(20)), "x", "\xe9", "x y"]

    def choose(texts: Sequence[str]) -> str:
        return texts[0] if chance.random() < 0.8 else chance.choice(texts)

    for _ in range(count):
        pairs = [
            f"{choose(_KEYS)}={choose(_SCHEMES)}{chance.choice(values)}"
            for _ in range(chance.choice((0, 1, 1, 1, 2, 2, 3)))
        ]
        yield "\x01".join([choose(_BEGINNINGS), *pairs]) + choose(_ENDS)


def _read(message: bytes) -> str | None:
    login = Login()
    login.note_mechanism("OAUTHBEARER")
    login.on_handshake_response(0)
    try:
        login.note_name(message)
    except LoginRefused:
        return None
    login.on_authenticate_response(0, b"")
    return (login.principal or "").removeprefix("User:") or None


def _read_as_kafka(jvm: Any, message: bytes) -> str | None:
    from py4j.protocol import Py4JJavaError

    internals = jvm.org.apache.kafka.common.security.oauthbearer.internals
    try:
        token = internals.OAuthBearerClientInitialResponse(message).tokenValue()
        return str(json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))["sub"])
    except (Py4JJavaError, IndexError):
        return None


@sample_or_all(600, 6000)
def test_the_name_is_the_one_that_kafka_reads(count: int, jvm: Any) -> None:
    """What is let through has the broker's name, and the broker takes no more, but for a second ``auth``."""
    messages = sorted({text.encode() for text in _iter_messages(random.Random(_SEED), count)})
    outcomes: Counter[str] = Counter()
    wrong = []
    for message in messages:
        ours, kafkas = _read(message), _read_as_kafka(jvm, message)
        plain = sum(pair.lower().startswith(b"auth=") for pair in message.split(b"\x01")) == 1
        outcomes["let through" if ours else "refused here" if kafkas else "refused by both"] += 1
        if ours != kafkas and (ours is not None or plain):
            wrong.append((message, ours, kafkas))
    print(f"seed {_SEED}: {len(messages)} messages, {dict(outcomes)}")

    assert [] == wrong
    assert min(outcomes[kind] for kind in ("let through", "refused here", "refused by both")) >= count // 30
