"""Quotas, credentials, ACLs, groups, client metrics, loggers and deletions: the engine beside a real broker."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from tests.oracle.broker import Answers, Broker
from tests.oracle.cases import acls, configs, credentials, deletions, quotas
from tests.oracle.cases.sampling import Case
from tests.oracle.compare import check
from tests.oracle.engine import Engine

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.oracle]


class Operation(NamedTuple):
    """Its cases, what the broker answers, the state that they share, and what of it is compared, after and before."""

    cases: Callable[[], list[Case]]
    answers: Callable[[Broker, Sequence[Case]], Answers]
    state: Mapping[str, Any]
    after: Callable[[Case, Any, Any], Any] | None = None
    before: Callable[[Case], Any] | None = None


_OPERATIONS = {
    "AlterConfig": Operation(configs.cases, configs.answers, configs.STATE, configs.requested, configs.unchanged),
    "AlterQuota": Operation(quotas.cases, quotas.answers, {}, quotas.requested, quotas.unchanged),
    "AlterScram": Operation(
        credentials.cases, credentials.answers, credentials.STATE, credentials.expected, credentials.unchanged
    ),
    "CreateAcl": Operation(acls.creations, acls.created, {}, acls.requested),
    "DeleteAcl": Operation(acls.deletions, acls.deleted, {}),
    "DeleteRecords": Operation(
        deletions.record_cases, deletions.delete_records, deletions.RECORDS_STATE, deletions.lows, deletions.lows
    ),
    "DeleteTopic": Operation(
        deletions.topic_cases, deletions.delete_topics, {}, deletions.is_there, deletions.is_there
    ),
}


@pytest.mark.parametrize("operation", _OPERATIONS)
def test_operation(operation: str, oracle: Broker, engine: Engine) -> None:
    """The engine refuses what the broker refuses, in its words, and makes of the rest what the broker makes of it."""
    one = _OPERATIONS[operation]
    cases = one.cases()
    check(cases, one.answers(oracle, cases), engine.answers(cases, {"topics": {}, **one.state}, one.after, one.before))
