"""Evaluated requests tell of what stands at a position, and of nothing else."""

import pytest

from warden.enforce.sdk.evaluate import EvaluatedRequest
from warden.policy.adapter import build_results, parse_request


def test_a_position_where_nothing_stands() -> None:
    """It is a mistake of the program's, said by name."""
    parsed = parse_request("DeleteTopics", {"topicNames": ["a"]}, version=5)
    evaluated = EvaluatedRequest(parsed, build_results(parsed, {}), {}, {}, {})

    assert not evaluated.get_result(("topicNames", 0)).allowed
    for ask in (evaluated.get_result, evaluated.find_amended):
        with pytest.raises(ValueError, match=r"the request has nothing at \('topicNames', 1\)"):
            ask(("topicNames", 1))
