"""Older bundles are refused by number, over restarts and between processes; by a real OPA that takes an older one."""

import asyncio
import errno
import fcntl
import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.fixtures.conditions import eventually
from tests.policy.opa.bundles import build
from warden.base.errors import ConfigurationError, OpaOutdated
from warden.base.files.config_model import read_model
from warden.enforce.gateway.config import GatewayOpa
from warden.enforce.gateway.decisions.decider import Decider
from warden.enforce.webhook.config import WebhookConfig as Webhook
from warden.enforce.webhook.engine import Engine
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.log import find_bundle_error
from warden.policy.opa.retry import RetryPolicy
from warden.policy.opa.revision_floor import RevisionFileFailure, RevisionFloor
from warden.policy.opa.session import OpaOptions, open_session
from warden.state.replicate.metrics import render_metrics
from warden.state.replicate.revision_watch import RevisionWatch
from warden.state.replicate.status import SourceStatus

_REFUSED = "bundle revision 1-a is older than number 2, which was seen before"

_NUMBERED = """
_decision(document) := object.union(_rest, {{"allowed": true, "revision": "{0}"}}) if document.say == "numbered"

_rest := {{"errors": [], "error": null, "violations": [], "warnings": []}}
"""


@pytest.mark.parametrize("older", ["41-aaaaaaaaaaaa", "9-aaaaaaaaaaaa", "aaaaaaaaaaaa", "", None])
def test_older(tmp_path: Path, older: str | None) -> None:
    """What is below the highest number is refused, by the next process too; the highest is still taken."""
    file = tmp_path / "revision"
    floor = RevisionFloor(file)
    for revision in ("aaaaaaaaaaaa", "42-aaaaaaaaaaaa", "42-bbbbbbbbbbbb"):
        floor.check(revision)

    assert (0o600, "42\n") == (file.stat().st_mode & 0o777, file.read_text())
    for one in (floor, RevisionFloor(file)):
        with pytest.raises(OpaOutdated, match="is older than number 42, which was seen before: serve that one again"):
            one.check(older)
        one.check("42-bbbbbbbbbbbb")


def test_another_process_saw_more(tmp_path: Path) -> None:
    """A number that another process wrote counts for a revision that this one has not seen."""
    first, second = RevisionFloor(tmp_path / "revision"), RevisionFloor(tmp_path / "revision")
    first.check("1-a")
    second.check("3-a")
    with pytest.raises(OpaOutdated):
        first.check("2-a")


def test_what_was_accepted_last_is_below_what_another_process_saw_since(tmp_path: Path) -> None:
    """The file binds all that share it, also one whose OPA has answered from the same older bundle all along."""
    first, second = RevisionFloor(tmp_path / "revision"), RevisionFloor(tmp_path / "revision")
    first.check("1-a")
    second.check("2-a")
    with pytest.raises(OpaOutdated, match=_REFUSED):
        first.check("1-a")
    (tmp_path / "revision").write_text("1\n")
    first.check("1-a")


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """The answer is refused as one of OPA's failures, nothing of the try stays, and the next one counts."""
    (tmp_path / "seen").mkdir()
    file, answer = tmp_path / "seen" / "revision", {"provenance": {"bundles": {"warden": {"revision": "2-a"}}}}
    floor = RevisionFloor(file)
    with _full_disk():
        with pytest.raises(ConfigurationError, match=r"revision cannot be written \(File too large\): let this"):
            floor.check("2-a")
        with pytest.raises(RevisionFileFailure, match="cannot be written"):
            floor.check_answer(answer)
    assert [] == list(file.parent.iterdir())
    floor.check_answer(answer)
    file.unlink()
    file.parent.rmdir()
    with pytest.raises(RevisionFileFailure, match=r"cannot be read \(No such file or directory\)"):
        floor.check_answer(answer)


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of an NFS server without its lock manager: it is one of OPA's failures too, and no handle stays open."""

    def refuse(handle: int, _operation: int) -> None:
        handles.append(handle)
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    handles: list[int] = []
    floor = RevisionFloor(tmp_path / "revision")
    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(RevisionFileFailure, match=r"revision cannot be read \(No locks available\): let this process"):
        floor.check_answer({"provenance": {"bundles": {"warden": {"revision": "2-a"}}}})
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(handles[0])


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.write_text("forty"), "has no revision's number: write one"),
        (lambda file: (file.unlink(), file.mkdir()), "cannot be read (Is a directory): let this process read and"),
    ],
)
def test_a_file_that_is_spoilt_later(
    tmp_path: Path, spoil: Callable[[Path], object], said: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The replicator is not ready, says what is wrong with the file, and speaks of no older bundle."""
    status = SourceStatus("prod", "kafka", 30, loaded=True)
    client = cast("OpaClient", SimpleNamespace(read_revision=lambda: "2-a"))
    watch = RevisionWatch(client, RevisionFloor(tmp_path / "seen"), [status])
    watch.poll()
    spoil(tmp_path / "seen")
    watch.poll()

    assert said in (status.find_problem() or "")
    assert ["the bundle that OPA decides by is refused"] == [record.message for record in caplog.records]


@contextmanager
def _full_disk() -> Iterator[None]:
    """No file of this process takes a byte, as on a disk that is full."""
    before, action = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, action)


@pytest.mark.parametrize("text", ["forty", "", "-5", "+5", "1_000", "4 2", "4" * 16])
def test_a_file_that_is_no_number(tmp_path: Path, text: str) -> None:
    """Nothing is taken for a number that is none; one below nothing would let every bundle pass."""
    (tmp_path / "revision").write_text(text)
    with pytest.raises(ConfigurationError, match="has no revision's number: write one, such as 42, or remove"):
        RevisionFloor(tmp_path / "revision")
    with pytest.raises(ConfigurationError, match="missing is not a directory: make it, or name another revisionFile"):
        RevisionFloor(tmp_path / "missing" / "revision")


@pytest.mark.opa
def test_an_opa_that_takes_an_older_bundle(opa_binary: Path, tmp_path: Path) -> None:
    """The gateway carries nothing out by it, and the replicator is not ready; the newer one back, both go on."""
    bundle = build(opa_binary, tmp_path, "2-b", rules=_NUMBERED.format("2-b"))
    with LocalOpa(bundle, opa=opa_binary) as opa, opa.build_client() as client:
        (tmp_path / "token").write_text(opa.tokens.query)
        (tmp_path / "opa.yaml").write_text(f"url: {opa.url}\ntoken: {{file: token}}\nrevisionFile: revision\n")
        gateway = read_model(tmp_path / "opa.yaml", GatewayOpa, "YAML file with an OPA")
        status = SourceStatus("prod", "kafka", 30, loaded=True)
        watch = RevisionWatch(client, RevisionFloor(tmp_path / "seen"), [status])
        callers = list(_callers(opa, gateway, tmp_path / "revision"))
        for ask in callers:
            ask()
        watch.poll()
        assert status.bundle_error is None

        build(opa_binary, tmp_path, "1-a", rules=_NUMBERED.format("1-a"))
        eventually(lambda: client.read_revision() == "1-a", "OPA takes the older bundle")
        for ask in callers:
            with pytest.raises(OpaOutdated, match=_REFUSED):
                ask()
        watch.poll()
        assert "older than number 2" in (status.find_problem() or "")
        assert b'warden_replicator_older_bundle{kind="kafka",source="prod"} 1.0' in render_metrics([status])

        build(opa_binary, tmp_path, "3-c", rules=_NUMBERED.format("3-c"))
        eventually(lambda: client.read_revision() == "3-c", "OPA takes the newer bundle")
        watch.poll()
        assert ("3-c", None) == (_decide(gateway), status.bundle_error)
        for ask in callers:
            ask()

        spoil = partial((tmp_path / "revision").write_text, "forty-two")
        for ask in (lambda: asyncio.run(_decide_around(gateway, spoil)), *callers[1:4]):
            with pytest.raises(RevisionFileFailure, match="has no revision's number: write one, such as 42"):
                ask()


def _callers(opa: LocalOpa, gateway: GatewayOpa, file: Path) -> Iterator[Callable[[], object]]:
    """Everything that has OPA decide."""
    yield lambda: _decide(gateway)
    service = gateway.build_client(gateway.build_floor())  # the service's, and the remediator's
    yield lambda: service.decide({"say": "numbered"})
    yield lambda: service.decide_many({"a": {"say": "numbered"}})
    yield lambda: service.evaluate("kafka/lists/check", {"a": 1})
    webhook = Webhook(
        f"{opa.url}/v1/data/kafka/lists/check", lambda: opa.tokens.query, None, None, 8.0, RetryPolicy(1), ()
    )
    yield lambda: asyncio.run(_admit(replace(webhook, floor=RevisionFloor(file))))
    yield lambda: _in_session(opa, file)


async def _decide_around(gateway: GatewayOpa, change: Callable[[], object]) -> None:
    """Decide before and after something has changed."""
    async with Decider(gateway) as decider:
        await decider.decide({"items": {"a": {"say": "numbered"}}})
        change()
        await decider.decide({"items": {"a": {"say": "numbered"}}})


async def _admit(config: Webhook) -> None:
    async with Engine(config) as engine:
        await engine.evaluate({"a": 1}, 8.0)


def _in_session(opa: LocalOpa, file: Path) -> None:
    options = OpaOptions((opa.url,), opa.tokens.query, revision_file=file)
    with open_session(options) as session, session.build_client() as client:
        client.read_revision()


@pytest.mark.opa
def test_an_opa_that_is_run_here(opa_binary: Path, tmp_path: Path) -> None:
    """It is not given an older bundle, goes on with the one that it has, and does not start with an older one."""
    bundle, floor = build(opa_binary, tmp_path, "2-b"), RevisionFloor(tmp_path / "revision")
    with LocalOpa(bundle, opa=opa_binary, directory=tmp_path / "opa", floor=floor) as opa, opa.build_client() as client:
        before = bundle.path.read_bytes()
        build(opa_binary, tmp_path, "1-a")
        eventually(lambda: "Conflict" in (find_bundle_error(opa.log) or ""), "OPA is refused the older bundle")
        assert "2-b" == client.read_revision()
        build(opa_binary, tmp_path, "3-c")
        eventually(lambda: client.read_revision() == "3-c", "OPA takes the newer bundle")
    bundle.path.write_bytes(before)
    with (
        pytest.raises(OpaOutdated, match="bundle revision 2-b is older than number 3"),
        LocalOpa(bundle, opa=opa_binary, floor=floor),
    ):
        pytest.fail("it started")


@pytest.mark.opa
def test_a_bundle_in_a_file(opa_binary: Path, tmp_path: Path) -> None:
    """What a command is given with ``--bundle`` is looked at before an OPA is started with it."""
    (tmp_path / "revision").write_text("7\n")
    path = build_bundle(tmp_path / "bundle.tar.gz", number=6).path
    options = OpaOptions(bundle=path, program=opa_binary, revision_file=tmp_path / "revision")
    with pytest.raises(OpaOutdated, match=r"bundle revision 6-\w+ is older than number 7"), open_session(options):
        pytest.fail("it started")


def _decide(settings: GatewayOpa) -> str:
    async def decide() -> str:
        async with Decider(settings) as decider:
            decisions, _ = await decider.decide({"items": {"a": {"say": "numbered"}}})
            return str(decisions["a"]["revision"])

    return asyncio.run(decide())
