"""Older bundles are refused by number, over restarts and between processes; by a real OPA that takes an older one."""

import asyncio
from pathlib import Path

import pytest

from tests.fixtures.conditions import eventually
from tests.opa.bundles import build
from warden.errors import ConfigurationError, OpaRefused
from warden.files.config_model import read_model
from warden.gateway.config import GatewayOpa
from warden.gateway.decider import Decider
from warden.opa.local import LocalOpa
from warden.opa.revision_floor import RevisionFloor
from warden.replicate.metrics import metrics_text
from warden.replicate.revision_watch import RevisionWatch
from warden.replicate.status import Status

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
        with pytest.raises(OpaRefused, match="but number 42 was seen before: serve that one again"):
            one.check(older)
        one.check("42-bbbbbbbbbbbb")


def test_another_process_saw_more(tmp_path: Path) -> None:
    """A number that another process wrote counts for a revision that this one has not seen."""
    first, second = RevisionFloor(tmp_path / "revision"), RevisionFloor(tmp_path / "revision")
    first.check("1-a")
    second.check("3-a")
    with pytest.raises(OpaRefused):
        first.check("2-a")


def test_a_file_that_is_no_number(tmp_path: Path) -> None:
    """Nothing is taken for a number that is none."""
    (tmp_path / "revision").write_text("forty")
    with pytest.raises(ConfigurationError, match="revision has no revision's number: write one, or remove the file"):
        RevisionFloor(tmp_path / "revision")
    with pytest.raises(ConfigurationError, match="missing is no directory: make it, or name another revisionFile"):
        RevisionFloor(tmp_path / "missing" / "revision")


@pytest.mark.opa
def test_an_opa_that_takes_an_older_bundle(opa_binary: Path, tmp_path: Path) -> None:
    """The gateway carries nothing out by it, and the replicator is not ready; the newer one back, both go on."""
    bundle = build(opa_binary, tmp_path, "2-b", rules=_NUMBERED.format("2-b"))
    with LocalOpa(bundle, opa=opa_binary) as opa, opa.client() as client:
        (tmp_path / "token").write_text(opa.tokens.query)
        (tmp_path / "opa.yaml").write_text(f"url: {opa.url}\ntoken: {{file: token}}\nrevisionFile: revision\n")
        gateway = read_model(tmp_path / "opa.yaml", GatewayOpa, "YAML file with an OPA")
        status = Status("prod", "kafka", 30, loaded=True)
        watch = RevisionWatch(client, RevisionFloor(tmp_path / "seen"), [status])
        assert "2-b" == _decide(gateway)
        watch.look()
        assert status.bundle is None

        build(opa_binary, tmp_path, "1-a", rules=_NUMBERED.format("1-a"))
        eventually(lambda: client.revision() == "1-a", "OPA takes the older bundle")
        with pytest.raises(OpaRefused, match="OPA decides by bundle revision 1-a, but number 2 was seen before"):
            _decide(gateway)
        watch.look()
        assert "number 2 was seen before" in (status.problem() or "")
        assert b'warden_replicator_older_bundle{kind="kafka",source="prod"} 1.0' in metrics_text([status])

        build(opa_binary, tmp_path, "3-c", rules=_NUMBERED.format("3-c"))
        eventually(lambda: client.revision() == "3-c", "OPA takes the newer bundle")
        watch.look()
        assert ("3-c", None) == (_decide(gateway), status.bundle)


def _decide(settings: GatewayOpa) -> str:
    async def decide() -> str:
        async with Decider(settings) as decider:
            answer = await decider.decide({"a": {"say": "numbered"}}, {})
            return str(answer.decisions["a"]["revision"])

    return asyncio.run(decide())
