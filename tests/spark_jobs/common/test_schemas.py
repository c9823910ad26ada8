"""The columns that Spark reads and writes are those that the store and the pure half of the scan use."""

import pytest

from warden.analyse.scan.batches import Batch, Row
from warden.analyse.scan.decision_rows import iter_decision_rows

pytestmark = pytest.mark.spark


def test_topic_columns_are_those_of_the_store() -> None:
    """A snapshot's Parquet schema and the job's are one."""
    from pyspark.sql.pandas.types import from_arrow_schema

    from spark_jobs.common.schemas import CLUSTER, TOPIC
    from warden.state.snapshot.parquet import _SCHEMAS

    for table, expected in (("topics", TOPIC), ("clusters", CLUSTER)):
        found = from_arrow_schema(_SCHEMAS[table])
        assert expected.simpleString() == found.simpleString(), table


def test_decision_columns_are_those_of_the_scan() -> None:
    """A decision has the columns of the schema, in their order; so has a violation."""
    from spark_jobs.common.schemas import FINDING, INPUT_DECISION, ITEM, RESOURCE_DECISION, VIOLATION, WAIVER

    violation = b'{"rule":"r","effect":"deny","severity":"low","message":"m","waiver":{"id":"w"}}'
    error = b'{"code":44,"name":"POLICY_VIOLATION","message":"m"}'
    denial = b'"allowed":false,"revision":"1","errors":["m"],"error":' + error
    answer = b'{"result":{"t":{' + denial + b',"violations":[' + violation + b"]}}}"
    (row,) = iter_decision_rows(Batch("c", [Row("c", "t", "{}")]), answer, revision="1")

    assert INPUT_DECISION.names == list(row)
    assert VIOLATION.names == list(row["violations"][0])
    assert WAIVER.names == list(row["violations"][0]["waiver"])
    assert ["common", "key", "item", "path"] == list(Row._fields[: len(ITEM.names)])
    assert ["common", "hash", "item", "path"] == ITEM.names
    kept = [name for name in RESOURCE_DECISION.names if name not in {"status", "violations", "error", "input"}]
    assert [*kept[:5], *VIOLATION.names, *kept[5:]] == FINDING.names
