"""Quotas, credentials, ACLs, groups, client metrics, loggers and deletions: the engine beside a real broker."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from tests.oracle import acls, configs, credentials, deletions, quotas
from tests.oracle.broker import Answers, Broker
from tests.oracle.cases import Case
from tests.oracle.compare import check
from tests.oracle.engine import Engine

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


class Operation(NamedTuple):
    """Its cases, what the broker answers to them, the state they share, and what is compared of it afterwards."""

    cases: Callable[[], list[Case]]
    answers: Callable[[Broker, Sequence[Case]], Answers]
    state: Mapping[str, Any]
    after: Callable[[Any], Any] | None


_OPERATIONS = {
    "AlterConfig": Operation(configs.cases, configs.answers, configs.STATE, configs.requested),
    "AlterQuota": Operation(quotas.cases, quotas.answers, {}, quotas.requested),
    "AlterScram": Operation(credentials.cases, credentials.answers, credentials.STATE, None),
    "CreateAcl": Operation(acls.creations, acls.created, {}, acls.requested),
    "DeleteAcl": Operation(acls.deletions, acls.deleted, {}, None),
    "DeleteRecords": Operation(deletions.record_cases, deletions.delete_records, deletions.RECORDS_STATE, None),
    "DeleteTopic": Operation(deletions.topic_cases, deletions.delete_topics, {}, None),
}


@pytest.mark.parametrize("operation", _OPERATIONS)
def test_operation(operation: str, oracle: Broker, engine: Engine) -> None:
    """The engine refuses what the broker refuses, in its words, and makes of the rest what the broker makes of it."""
    one = _OPERATIONS[operation]
    cases = one.cases()
    check(cases, one.answers(oracle, cases), engine.answers(cases, {"topics": {}, **one.state}, one.after))
