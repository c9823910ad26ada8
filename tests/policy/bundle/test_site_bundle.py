"""A site's rules as a bundle of their own: a real OPA with two bundles decides as one with `--site`."""

import json
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.fixtures.conditions import eventually
from tests.fixtures.http import Handler, served
from warden.base.errors import BundleError, ConfigurationError, OpaError
from warden.base.http.ports import find_free_port
from warden.commands.bundle import command
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.bundle.site_bundle import build_site_bundle
from warden.policy.opa.client import OpaClient, RetryPolicy
from warden.policy.opa.launch import Launch
from warden.policy.opa.session import start_opa
from warden.policy.opa.tokens import OpaTokens

pytestmark = pytest.mark.opa

_RULE = """package site.rules.acme

import data.kafka.cluster

deny contains violation if {
	input.operation == "CreateTopic"
	input.requested.numPartitions > data.site.limits.factor * cluster.part(input, "clusterSize")
	violation := {
		"rule": "ACME-1",
		"severity": "medium",
		"message": "too many partitions",
		"fix": "ask for fewer",
		"path": ["numPartitions"],
		"patch": [],
	}
}
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rule that reads the library and data of its own, with a test that stays behind."""
    directory = tmp_path_factory.mktemp("site")
    (directory / "site/limits").mkdir(parents=True)
    (directory / "acme.rego").write_text(_RULE)
    (directory / "acme_test.rego").write_text("package site.rules.acme_test\n\ntest_nothing if true\n")
    (directory / "site/limits/data.yaml").write_text("factor: 3\n")
    return directory


@pytest.fixture(scope="module")
def beside(
    site: Path, shipped_bundle: Bundle, opa_binary: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OpaClient]:
    """An OPA that verifies and loads both bundles; it tries the site's again until it has Warden's."""
    directory = tmp_path_factory.mktemp("beside")
    own = build_site_bundle(directory / "site.tar.gz", [site])
    shutil.copyfile(shipped_bundle.path, directory / "warden.tar.gz")
    polling = {"min_delay_seconds": 1, "max_delay_seconds": 1}

    class Files(Handler):
        def respond(self) -> None:
            self.answer(200, (directory / self.path.strip("/")).read_bytes())

    with served(Files) as url:
        config = {
            "services": {"files": {"url": url}},
            "keys": {"warden": {"algorithm": own.key.algorithm, "key": own.key.path.read_text()}},
            "bundles": {
                name: {"service": "files", "resource": f"{name}.tar.gz", "signing": {"keyid": "warden"},
                       "polling": polling}
                for name in ("site", "warden")
            },
        }  # fmt: skip
        (directory / "opa.json").write_text(json.dumps(config))
        tokens, port = OpaTokens.generate(), find_free_port()
        started = Launch(opa_binary, port, directory / "opa.json", own.path, directory / "opa.log", tokens).start()
        try:
            with OpaClient(f"http://127.0.0.1:{port}", token=tokens.query, retries=RetryPolicy(1)) as client:
                eventually(lambda: ("ACME-1", "too many partitions") in _decided(client, 10), "both bundles decide")
                yield client
        finally:
            started.process.stop()


def _decided(client: OpaClient, partitions: int) -> set[tuple[str, str]]:
    document: dict[str, Any] = {
        "operation": "CreateTopic",
        "cluster": "c",
        "enforcementPoint": "ci",
        "clusterState": {"clusterSize": 3, "defaults": {}},
        "request": {"topic": "shop.orders", "numPartitions": partitions, "replicationFactor": 3},
    }
    try:
        return {(one["rule"], one["message"]) for one in client.decide(document)["violations"]}
    except OpaError:
        return set()


def test_two_bundles_decide_as_one(beside: OpaClient, site: Path, opa_binary: Path, tmp_path: Path) -> None:
    """About what the rule denies, and what it has nothing against."""
    whole = build_bundle(tmp_path / "whole.tar.gz", site=[site], opa=opa_binary)
    with start_opa(whole.path) as opa, opa.build_client() as client:
        for partitions in (9, 10):
            assert _decided(client, partitions) == _decided(beside, partitions)
            assert (("ACME-1", "too many partitions") in _decided(beside, partitions)) == (partitions == 10)


def test_the_command(site: Path, tmp_path: Path) -> None:
    """Signed, with a number where one is given, and with nothing of Warden's."""
    output = tmp_path / "site.tar.gz"
    arguments = ["build", "--only", "site", "--site", str(site), "--number", "7", "--output", str(output)]
    done = CliRunner().invoke(command, arguments, standalone_mode=False, catch_exceptions=False)

    assert f"{output}: revision 7-" in done.stdout
    with tarfile.open(output) as archive:
        names = {member.name for member in archive}
    assert {
        ".manifest",
        ".signatures.json",
        "site-0/acme.rego",
        "site/limits/data.yaml",
        "site/reads/data.json",
        "site/metadata/data.json",
    } == {name.strip("/") for name in names}


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ([], "--only site is of your own rules: name their directory with --site"),
        (["--profile", "starter", "--site", "{site}"], "--only site has no settings: leave out --settings and"),
    ],
)
def test_what_does_not_go_together(site: Path, tmp_path: Path, more: list[str], sentence: str) -> None:
    """Each in one sentence, and nothing is written."""
    arguments = ["build", "--only", "site", "--output", str(tmp_path / "b"), *(one.format(site=site) for one in more)]
    done = CliRunner().invoke(command, arguments, standalone_mode=False)

    assert isinstance(done.exception, ConfigurationError)
    assert str(done.exception).startswith(sentence)
    assert not (tmp_path / "b").exists()


def test_rules_that_do_not_compile(tmp_path: Path) -> None:
    """With the library, though it is not in the bundle."""
    (tmp_path / "acme.rego").write_text(_RULE.replace("cluster.part(", "cluster.party("))

    with pytest.raises(BundleError, match=r"undefined function data\.kafka\.cluster\.party"):
        build_site_bundle(tmp_path / "b.tar.gz", [tmp_path])
