"""The OPA that a command uses: one that runs, or one of this process that ends with the block."""

from pathlib import Path
from typing import Any

import pytest

from tests.policy.opa.bundles import alive
from warden.base.errors import BundleError, ConfigurationError
from warden.policy.bundle.build import Bundle
from warden.policy.opa.endpoints import RemoteOpa
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.per_host import HostOpa
from warden.policy.opa.session import OpaOptions, open_session, start_opa


@pytest.mark.parametrize(
    ("option", "options"),
    [
        ("--settings", {"settings": Path("s.yaml")}),
        ("--profile", {"profile": "starter"}),
        ("--site", {"site": (Path("d"),)}),
        ("--bundle", {"bundle": Path("b")}),
        ("--opa", {"program": Path("opa")}),
    ],
)
def test_options_of_an_opa_that_runs(option: str, options: dict[str, Any]) -> None:
    """What would be passed over in silence is refused."""
    with pytest.raises(ConfigurationError) as caught:
        OpaOptions(("http://127.0.0.1:1",), **options)

    said = f"{option} is for the OPA that is started here: leave out --opa-url (WARDEN_OPA_URL), or {option}"
    assert said == str(caught.value)


@pytest.mark.parametrize("option", [{"settings": Path("s.yaml")}, {"profile": "starter"}, {"site": (Path("d"),)}])
def test_options_of_a_bundle_that_is_built(option: dict[str, Any]) -> None:
    """Settings are compiled into a bundle: one that is built already has its own."""
    name = f"--{next(iter(option))}"
    with pytest.raises(
        ConfigurationError, match=f"^{name} is for a bundle that is built: leave out --bundle, or {name}$"
    ):
        OpaOptions(bundle=Path("b"), **option)


@pytest.mark.opa
def test_an_opa_that_runs_is_left_alone(opa: LocalOpa) -> None:
    """Tasks and this process reach it with the same token, in turns with the others; it runs on afterwards."""
    with open_session(OpaOptions((opa.url, "http://127.0.0.1:1"), opa.tokens.query)) as session:
        with session.build_client() as client:
            revision = client.read_revision()
        endpoint = session.endpoint

    assert RemoteOpa(opa.url, opa.tokens.query, ("http://127.0.0.1:1",)) == endpoint
    with opa.build_client() as client:
        assert revision == client.read_revision()


@pytest.mark.opa
def test_an_opa_that_is_started_ends_with_the_block(shipped_bundle: Bundle, opa_binary: Path) -> None:
    """Once for all clients, with the bundle that was verified; process and directory are gone afterwards."""
    with open_session(OpaOptions(bundle=shipped_bundle.path, program=opa_binary)) as session:
        clients = [session.build_client() for _ in range(2)]
        revisions = [client.read_revision() for client in clients]
        for client in clients:
            client.close()
        assert isinstance(session.driver, HostOpa)
        state, directory = session.driver.read_launch_record(), session.driver.directory

    assert [shipped_bundle.revision] * 2 == revisions
    assert 1 == len({client.url for client in clients})
    assert state is not None
    assert (False, False, False) == (alive(state["pid"]), alive(state["supervisor"]), directory.exists())


@pytest.mark.opa
def test_tasks_reach_what_the_job_distributes(shipped_bundle: Bundle, opa_binary: Path) -> None:
    """The endpoint of the tasks is made of this process's OPA, which is not started for that."""
    other = RemoteOpa("http://127.0.0.1:1")
    received: list[HostOpa] = []

    def distribute(opa: HostOpa) -> Any:
        received.append(opa)
        return other

    with open_session(OpaOptions(bundle=shipped_bundle.path, program=opa_binary), distribute) as session:
        assert (other, received) == (session.endpoint, [session.driver])
        assert received[0].read_launch_record() is None


@pytest.mark.opa
def test_a_bundle_of_somebody_else_is_not_trusted(shipped_bundle: Bundle, opa_binary: Path, tmp_path: Path) -> None:
    """A bundle whose signature is not good starts nothing; what is no bundle is named."""
    changed = tmp_path / "bundle.tar.gz"
    changed.write_bytes(shipped_bundle.path.read_bytes()[:-100])
    with (
        pytest.raises(BundleError, match="its signature is not good"),
        open_session(OpaOptions(bundle=changed, program=opa_binary)),
    ):
        pytest.fail("it started")
    changed.write_text("no archive")
    with pytest.raises(ConfigurationError, match="not a bundle"), start_opa(changed, opa_binary):
        pytest.fail("it started")
