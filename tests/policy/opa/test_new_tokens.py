"""OPA gets new tokens under those who ask it: refused until the file has the new one, then decided as ever."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.patience import PATIENCE
from tests.policy.opa.faults import Answer, faulty
from warden.base.errors import ConfigurationError, OpaUnauthorized
from warden.base.files.secret import Secret
from warden.enforce.gateway.config import GatewayOpa
from warden.enforce.gateway.decisions.decider import Decider
from warden.enforce.webhook.config import read_config
from warden.enforce.webhook.engine import Engine
from warden.policy.bundle.build import Bundle
from warden.policy.failover.settings import FailoverSettings
from warden.policy.opa.bearer import Bearer
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.tokens import OpaTokens

_ITEMS = {"topics/0": {"operation": "AuditTopic", "request": {"topic": "a"}, "cluster": "c"}}
_THING = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a", "namespace": "web"}}

Ask = Callable[[], Any]


def _document(url: str, token: Path) -> dict[str, Any]:
    return {"url": url, "token": Secret("token", file=token), "timeout": PATIENCE}


class _Service:
    """The client of the service, of replicator and remediator, and of commands that read a configuration."""

    def __init__(self, url: str, token: Path) -> None:
        self._client = FailoverSettings.model_validate(_document(url, token)).build_client()

    def ask(self) -> Any:
        return self._client.decide_many(_ITEMS)

    def close(self) -> None:
        self._client.close()


class _Looped:
    """A client that lives in a loop, which goes on between two requests, so that it sees connections end."""

    def __init__(self, client: Any, ask: Callable[[Any], Any]) -> None:
        self._client, self._ask, self._loop = client, ask, asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._run(client.__aenter__())

    def ask(self) -> Any:
        return self._run(self._ask(self._client))

    def close(self) -> None:
        self._run(self._client.__aexit__(None, None, None))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, awaited: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(awaited, self._loop).result(PATIENCE)


def _gateway(url: str, token: Path) -> _Looped:
    async def ask(decider: Decider) -> Any:
        decisions, _id = await decider.decide({"items": _ITEMS, "common": {}, "order": list(_ITEMS)})
        return decisions

    return _Looped(Decider(GatewayOpa.model_validate(_document(url, token))), ask)


def _webhook(url: str, token: Path) -> _Looped:
    config = token.parent / "webhook.yaml"
    config.write_text(f"opa: {{url: '{url}', token: {{file: '{token}'}}, timeout: {PATIENCE:g}}}\n", encoding="utf-8")
    return _Looped(Engine(read_config(config)), lambda engine: engine.evaluate(_THING, PATIENCE))


@pytest.fixture(params=[_Service, _gateway, _webhook], ids=["service", "gateway", "webhook"])
def connect(request: pytest.FixtureRequest) -> Iterator[Callable[[str, Path], Ask]]:
    """Makes the client of a program, from OPA's address and the file of the token; returns what asks by it."""
    opened = []

    def make(url: str, token: Path) -> Ask:
        client = request.param(url, token)
        opened.append(client)
        ask: Ask = client.ask
        return ask

    yield make
    for client in opened:
        client.close()


@pytest.mark.opa
def test_a_real_opa(
    connect: Callable[[str, Path], Ask], shipped_bundle: Bundle, opa_binary: Path, tmp_path: Path
) -> None:
    """Each is refused, also while the file is being replaced, and the first request after is decided."""
    token = tmp_path / "query.token"
    with LocalOpa(shipped_bundle, opa=opa_binary) as opa:
        token.write_text(opa.tokens.query)
        ask = connect(opa.url, token)
        before = ask()
        opa.tokens = OpaTokens.generate()
        opa.restart(120)
        for change in (lambda: None, token.unlink, lambda: token.write_text("half of")):
            change()
            with pytest.raises(OpaUnauthorized, match=r"refused this caller \(401\)"):
                ask()
        token.write_text(opa.tokens.query)
        assert before == ask()


@pytest.mark.parametrize("front", [b'{"code": "unauthorized", "message": "no"}', b"<html>401</html>"])
def test_a_refused_question_is_repeated_once(front: bytes, connect: Callable[[str, Path], Ask], tmp_path: Path) -> None:
    """By OPA or by a proxy before it: with another token once more, with the same one not at all."""
    token = tmp_path / "query.token"
    token.write_text("first")
    with faulty([Answer(401, front)]) as server:
        ask = connect(server.url, token)
        with pytest.raises(OpaUnauthorized):
            ask()
        token.write_text("second")
        with pytest.raises(OpaUnauthorized):
            ask()
        sent = [headers.get("Authorization") for _, _, _, headers in server.seen]
    assert ["Bearer first", "Bearer first", "Bearer second"] == sent


def test_a_token_that_cannot_be_read_at_first() -> None:
    """It is read again by the next who asks; without a token nothing is sent."""

    def read() -> str:
        raise ConfigurationError("no file")

    bearer = Bearer(read)
    for _ in range(2):
        with pytest.raises(ConfigurationError):
            bearer.get_header()
    assert not bearer.renew(None)
    assert (None, "Bearer t") == (Bearer(None).get_header(), Bearer("t").get_header())
