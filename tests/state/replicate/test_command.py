"""The command line of `warden replicate`, without anything to replicate."""

import json

import pytest
from click.testing import CliRunner

from tests.fixtures.checkout import CHECKOUT
from warden.base.errors import ConfigurationError
from warden.commands.replicate import command
from warden.policy.contract.schemas import read_schema


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--dry-run"], "--dry-run needs --once"),
        (["--listen", "nowhere"], "--listen nowhere is not host:port"),
        (["--listen", "host:99999"], "--listen host:99999 is not host:port"),
        (["--once", "--accept-loss", "b"], "--accept-loss: unknown source b: write one of a"),
        (["--accept-loss", "b"], "--accept-loss: unknown source b: write one of a"),
    ],
)
def test_flags_that_make_no_sense(tmp_path, flags, message):
    """One sentence, before anything is connected."""
    path = tmp_path / "c.yaml"
    path.write_text("clusters: [{name: a, bootstrapServers: 'h:1'}]\n")

    result = CliRunner().invoke(command, ["--config", str(path), *flags], standalone_mode=False)

    assert isinstance(result.exception, ConfigurationError)
    assert message in str(result.exception)


def test_all_parts_of_the_contract_are_kept():
    """What docs/reference/contract.md names as cluster state, but for meta."""
    text = (CHECKOUT / "docs/reference/contract.md").read_text(encoding="utf-8")
    example = json.loads(text.partition("## Cluster state")[2].partition("```json")[2].partition("```")[0])

    assert example.keys() == read_schema("cluster-state")["properties"].keys()
