"""The columns that Spark reads and writes are those that the store and the pure half of the scan use."""

import pytest

from warden.scan.batches import Batch, Row
from warden.scan.verdicts import verdicts

pytestmark = pytest.mark.spark


def test_topic_columns_are_those_of_the_store() -> None:
    """A snapshot's Parquet schema and the job's are one."""
    from pyspark.sql.pandas.types import from_arrow_schema

    from spark_jobs.schemas import CLUSTER, TOPIC
    from warden.snapshot.parquet import _SCHEMAS

    for table, expected in (("topics", TOPIC), ("clusters", CLUSTER)):
        found = from_arrow_schema(_SCHEMAS[table])
        assert expected.simpleString() == found.simpleString(), table


def test_verdict_columns_are_those_of_the_scan() -> None:
    """A verdict row has the columns of the schema, in their order; so has a violation."""
    from spark_jobs.schemas import FINDING, ITEM, VERDICT, VIOLATION, WAIVER

    violation = b'{"rule":"r","mode":"deny","severity":"low","message":"m","waiver":{"id":"w"}}'
    answer = b'{"result":{"t":{"allowed":false,"revision":"1","violations":[' + violation + b"]}}}"
    (row,) = verdicts(Batch("c", [Row("c", "t", None, "{}")]), answer, run_id="r", revision="1")

    assert VERDICT.names == list(row)
    assert VIOLATION.names == list(row["violations"][0])
    assert WAIVER.names == list(row["violations"][0]["waiver"])
    assert ITEM.names == list(Row._fields)
    assert FINDING.names == [*VERDICT.names[:5], *VIOLATION.names]
