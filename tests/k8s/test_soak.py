"""A short soak of all programs together; `python -m tests.soak` is the long one."""

import pytest

from tests.soak.run import Soak


@pytest.mark.k8s
@pytest.mark.kafka
@pytest.mark.opa
@pytest.mark.timeout(3000)
def test_a_short_soak_of_all_programs(tmp_path):
    """After each fault the replica equals three brokers, and all programs decide again, and never wrongly."""
    lines: list[str] = []
    result = Soak(seed=2, topics=100, turn=10.0, print_status=lines.append).run(0.5, tmp_path)

    assert [] == result.failures, "\n".join(lines)
    assert len(result.settled) >= 2
    assert {"gateway", "service", "webhook", "remediator"} <= result.samples.keys()
