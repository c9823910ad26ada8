"""Tokens of a program: what it may print, what is wrong with it, and a broker whose tokens end while it is followed."""

import base64
import json
import shlex
import sys
import time
from pathlib import Path

import pytest

from tests.fixtures.brokers.oauth_broker import MODULE, TokenBroker
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import ConfigurationError, KafkaError, WardenError
from warden.state.sources.kafka.live.polling import LiveCluster
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.login.token_command import build_command_source

pytestmark = pytest.mark.process

_REQUEST = """import os, sys, urllib.request
if os.path.exists(sys.argv[2]):
    sys.exit("the provider is away")
sys.stdout.write(urllib.request.urlopen(sys.argv[1], b"").read().decode())
"""

_AWAY = (
    f"cannot be reached or logged in to again: warden.token.command: {sys.executable} ended with 1: "
    "the provider is away"
)


def _jwt(claims: object) -> str:
    parts: tuple[object, ...] = ({"alg": "none"}, claims, {})
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts)


NESTED = f"e30.{base64.urlsafe_b64encode(b'[' * 90_000).decode()}."


def _printing(text: str) -> str:
    return shlex.join([sys.executable, "-c", "import sys; print(sys.argv[1])", text])


@pytest.mark.parametrize(
    ("printed", "token", "seconds"),
    [
        ("abc", "abc", 0),
        ('{"access_token": "abc", "expires_in": 90, "token_type": "Bearer"}', "abc", 90),
        ('{"access_token": "abc"}', "abc", 0),
        ("a.!.c", "a.!.c", 0),
        ("a.YQ.c", "a.YQ.c", 0),
        (_jwt([1]), _jwt([1]), 0),
        pytest.param(NESTED, NESTED, 0, id="claims nested too deeply"),
        (_jwt({"exp": 1}), _jwt({"exp": 1}), 0),
    ],
)
def test_what_a_program_prints(printed: str, token: str, seconds: float) -> None:
    """A token alone, or OAuth's answer; without a time the token is for one connection."""
    assert (token, seconds) == build_command_source(_printing(printed), 60)()


def test_a_json_web_token_says_until_when_it_is_good() -> None:
    """By its own claim, as those of `az` and `gcloud` do."""
    printed = _jwt({"exp": time.time() + 1000})
    token, seconds = build_command_source(_printing(printed), 60)()
    assert printed == token
    assert 900 < seconds <= 1000


@pytest.mark.parametrize(
    ("line", "kind", "said"),
    [
        (" ", ConfigurationError, "warden.token.command is empty: write the program that prints a token"),
        ("a 'b", ConfigurationError, "warden.token.command cannot be read (No closing quotation): quote as in a shell"),
        ("/no/such --secret s3cret", ConfigurationError, "/no/such cannot be run (No such file or directory)"),
        ("sh -c 'echo why >&2; exit 3' s3cret", KafkaError, "warden.token.command: sh ended with 3: why"),
        ("sh -c 'exit 3' s3cret", KafkaError, "warden.token.command: sh ended with 3: it said nothing"),
        ("sh -c 'sleep 60' s3cret", KafkaError, "sh did not end within 0.5 s: give it longer with sasl.login.read.tim"),
        ("true s3cret", KafkaError, "warden.token.command: true prints no token: let it print one alone, or JSON with"),
        ("echo '{}' s3cret", KafkaError, "echo prints no token"),
        ('echo {"access_token": 7}', KafkaError, "echo prints no token"),
    ],
)
def test_what_is_wrong_with_a_program(line: str, kind: type[WardenError], said: str) -> None:
    """One sentence names it; its arguments, which may be secret, are not in it."""
    with pytest.raises(kind) as raised:
        build_command_source(line, 0.5 if "sleep" in line else 60)()

    assert said in str(raised.value)
    assert "s3cret" not in str(raised.value)


@pytest.mark.kafka
@pytest.mark.opa
@pytest.mark.slow
def test_tokens_that_end_while_a_cluster_is_followed(signed: TokenBroker, tmp_path: Path) -> None:
    """Over one connection, as `warden replicate` looks: the broker ends each session with its token (KIP-368).

    Where no token can be had, a poll fails as when the cluster is away, with the reason; later ones go on.
    """
    program, away = tmp_path / "token.py", tmp_path / "away"
    program.write_text(_REQUEST)
    login = {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "OAUTHBEARER",
        "sasl.login.callback.handler.class": "io.example.OnlyJavaHasIt",
        "sasl.jaas.config": f"{MODULE} required;",
        "warden.token.command": shlex.join([sys.executable, str(program), signed.url, str(away)]),
    }
    signed.issued.clear()
    signed.life = 6
    try:
        with connect(signed.server, security=login, timeout=60) as connection:
            cluster = LiveCluster(connection, budget=10)
            deadline = time.monotonic() + PATIENCE
            polls = 0
            while len(set(signed.issued)) < 3 and time.monotonic() < deadline:
                said = _failed_poll(cluster, activity=True)
                assert not said or "invalid_token" in said
                polls += not said
                time.sleep(0.5)
            lives = len(set(signed.issued))
            away.touch()
            eventually(lambda: _failed_poll(cluster).endswith(_AWAY), "a poll says why there is no token")
            away.unlink()
            eventually(lambda: not _failed_poll(cluster), "a poll that has a token")
    finally:
        signed.life = 3600
    assert lives >= 3
    assert polls
    assert [] == [line for line in cluster.gaps if "quotas" in line]


def _failed_poll(cluster: LiveCluster, *, activity: bool = False) -> str:
    """What a poll says that fails; nothing of one that does not.

    Beside a busy machine a token ends on its way to the broker, which then refuses it: that passes.
    """
    try:
        cluster.poll(activity=activity)
    except KafkaError as error:
        return str(error)
    return ""
