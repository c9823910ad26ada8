"""Frames of rows that the driver has: every value arrives, without a Python worker, and what does not fit is named."""

from datetime import date
from typing import Any

import pytest


def _narrow() -> Any:
    from pyspark.sql import types as T

    return T.StructType([T.StructField("number", T.LongType(), nullable=False), T.StructField("text", T.StringType())])


def _wide() -> Any:
    from pyspark.sql import types as T

    struct = T.StructType([T.StructField("x", T.IntegerType()), T.StructField("y", T.DateType())])
    return T.StructType(
        [
            *_narrow().fields,
            T.StructField("map", T.MapType(T.StringType(), T.ArrayType(T.LongType()))),
            T.StructField("list", T.ArrayType(T.StringType())),
            T.StructField("struct", struct),
            T.StructField("day", T.DateType()),
        ]
    )


def test_values(spark: Any) -> None:
    """Of each type, nulls and empty ones among them; the schema is the one that was given."""
    from spark_jobs.common.frames import make_frame

    schema = _wide()
    rows: list[Any] = [
        (1, "é", {"a": [1], "b": None}, ["x", None], {"x": 1, "y": date(2026, 1, 2)}, date(1, 1, 1)),
        (2, "", {}, [], {"x": None, "y": None}, date(9999, 12, 31)),
        {"number": 3},
    ]
    frame = make_frame(spark, iter(rows), schema)
    assert schema == frame.schema
    shown = [row.asDict(recursive=True) for row in frame.sort("number").collect()]
    names = frame.columns
    expected = [dict(zip(names, row, strict=True)) for row in rows[:2]]
    assert [*expected, {**dict.fromkeys(names), "number": 3}] == shown


def test_no_rows(spark: Any) -> None:
    """The columns are there."""
    from spark_jobs.common.frames import make_frame

    schema = _wide()
    frame = make_frame(spark, [], schema)
    assert (schema, 0) == (frame.schema, frame.count())


def test_where_it_is_computed(spark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """In the JVM, spread over the tasks that run at once; a list is the RDD of a Python daemon."""
    from spark_jobs.common.frames import make_frame

    rows, schema = [(1, "a")] * 100, _narrow()
    frame, of_list = make_frame(spark, rows, schema), spark.createDataFrame(rows, schema)
    frame.explain()
    assert "LocalTableScan" in capsys.readouterr().out
    of_list.explain()
    assert "ExistingRDD" in capsys.readouterr().out
    assert spark.sparkContext.defaultParallelism == frame.rdd.getNumPartitions()


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ((None, "a"), "field number"),
        ((1.5, "a"), "field number"),
        ((True, "a"), "field number"),
        ((1 << 63, "a"), str(1 << 63)),
        ((1, 2), "field text"),
        ({"text": "a"}, "field number"),
        ((1, "a", "b"), "(3)"),
        ((1,), "(1)"),
    ],
)
def test_what_does_not_fit(spark: Any, row: Any, said: str) -> None:
    """The field is named, or the value that no number of its type is, or how many values there are."""
    from pyspark.errors import PySparkException

    from spark_jobs.common.frames import make_frame

    with pytest.raises(PySparkException) as raised:
        make_frame(spark, [(1, "a"), row], _narrow())
    assert said in str(raised.value)
