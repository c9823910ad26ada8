"""Each fault once, under load; `python -m tests.enforce.broker_plugin.kills` has them at random, for twenty minutes."""

import random
from pathlib import Path

import pytest

from tests.enforce.broker_plugin.figures import jmx_options
from tests.enforce.broker_plugin.inside import start_three_inside
from tests.enforce.broker_plugin.kills import FAULTS, Kills
from warden.base.http.ports import list_free_ports
from warden.base.toolchain.versions import KAFKA
from warden.policy.bundle.build import Bundle

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.slow]


def test_nothing_denied_is_made_whatever_fails(rules: Bundle, opa_binary: Path, plugin: Path, tmp_path: Path) -> None:
    """What is acknowledged is there afterwards, no good name is denied, and each fault ends."""
    jmx, faults = dict(enumerate(list_free_ports(3), start=1)), iter(FAULTS)
    options = {node: jmx_options(port) for node, port in jmx.items()}
    with start_three_inside(rules, opa_binary, plugin, tmp_path, KAFKA, options, budget_ms="2000") as inside:
        report = Kills(inside, jmx, random.Random(1)).run(lambda: next(faults, None))

    assert [] == report.failures
    assert dict.fromkeys(FAULTS, 1) == report.faults
