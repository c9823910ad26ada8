"""The command line of `warden replicate`, without anything to replicate."""

import json
import logging

import pytest
from click.testing import CliRunner

from tests.fixtures.checkout import CHECKOUT
from warden.cli.replicate import command
from warden.errors import ConfigurationError
from warden.replicate.log import log_to_stderr, say
from warden.replicate.state_filter import CONTRACT


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--dry-run"], "--dry-run needs --once"),
        (["--listen", "nowhere"], "--listen nowhere is not host:port"),
        (["--listen", "host:99999"], "--listen host:99999 is not host:port"),
        (["--once", "--accept-loss", "b"], "--accept-loss b: no such source: name one of a"),
        (["--accept-loss", "b"], "--accept-loss b: no such source: name one of a"),
    ],
)
def test_flags_that_make_no_sense(tmp_path, flags, message):
    """One sentence, before anything is connected."""
    path = tmp_path / "c.yaml"
    path.write_text("clusters: [{name: a, bootstrapServers: 'h:1'}]\n")

    result = CliRunner().invoke(command, ["--config", str(path), *flags], standalone_mode=False)

    assert isinstance(result.exception, ConfigurationError)
    assert message in str(result.exception)


def test_the_log_is_json_lines(capfd):
    """A line has its time, level and fields; a failure has its trace."""
    logger = logging.getLogger("warden.replicate")
    before = list(logger.handlers)
    try:
        log_to_stderr()
        say("hello", sources=["a"], nothing=None)
        try:
            raise ValueError("odd")
        except ValueError:
            logger.exception("failed")
    finally:
        for handler in set(logger.handlers) - set(before):
            logger.removeHandler(handler)
        logger.propagate = True
    hello, failed = (json.loads(line) for line in capfd.readouterr().err.splitlines())

    assert ("hello", "info", ["a"]) == (hello["message"], hello["level"], hello["sources"])
    assert ("nothing" in hello, "ValueError: odd" in failed["trace"], failed["level"]) == (False, True, "error")


def test_all_parts_of_the_contract_are_kept():
    """What docs/reference/contract.md names as cluster state, but for meta."""
    text = (CHECKOUT / "docs/reference/contract.md").read_text(encoding="utf-8")
    example = json.loads(text.partition("## Cluster state")[2].partition("```json")[2].partition("```")[0])

    assert example.keys() - {"meta"} == CONTRACT
