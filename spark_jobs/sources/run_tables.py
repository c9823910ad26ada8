"""The tables of a finished run as a data source of Spark, which finds it by itself (`pyspark_warden`)."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import types as T
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema

from spark_jobs.common.schemas import RUN_TABLES
from warden.analyse.report.evidence import iter_control_rows
from warden.analyse.report.finished_run import open_run
from warden.analyse.report.lines import CONTROL_COLUMNS
from warden.base.did_you_mean import describe_unknown
from warden.base.errors import InputError
from warden.base.files.address import Address, parse_place

__all__ = ["RunTables"]

_OPTIONS: Final = {"run", "table", "path"}
_COUNTED: Final = "controls"
_OWNER: Final = T.StructType([T.StructField("owner", T.StringType()), T.StructField("findings", T.LongType())])
# Of the columns of the CSV about controls those that are no text.
_TYPES: Final = {
    **dict.fromkeys(("findings", "waived", "evaluated", "broken", "passed", "not_evaluated"), T.LongType()),
    "owners": T.ArrayType(_OWNER),
}
_CONTROLS: Final = T.StructType([T.StructField(name, _TYPES.get(name, T.StringType())) for name in CONTROL_COLUMNS])
_TABLES: Final = {**RUN_TABLES, _COUNTED: _CONTROLS}


class RunTables(DataSource):
    """Reads one table of a run: ``spark.read.format("warden").option("run", "build/runs").load()``.

    Options are ``run``, the directory of a run, or of runs whose latest is taken (or as the argument of ``load``), and
    ``table``: ``findings`` where it is not given, ``decisions``, ``passes``, ``not_evaluated``, or ``controls``, which
    is counted in the others. The columns are those of docs/reference/tables.md, also of a run that an older Warden has
    written.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "warden"

    def schema(self) -> T.StructType:
        """Return the columns of the table that is wanted.

        Raises:
            InputError: There is no such option or table.
        """
        unknown = sorted(self.options.keys() - _OPTIONS)
        if unknown:
            raise InputError(describe_unknown("option", unknown[0], sorted(_OPTIONS)))
        table = self._table
        if table not in _TABLES:
            raise InputError(describe_unknown("table", table, _TABLES))
        return _TABLES[table]

    def reader(self, schema: T.StructType) -> DataSourceReader:
        """Return what reads the table.

        Raises:
            InputError: There is no such run, it is at an address, or its tables are not Parquet.
        """
        named = self.options.get("run", self.options.get("path", ""))
        if not named:
            raise InputError('no run is named: write .option("run", DIRECTORY)')
        place = parse_place(named)
        if isinstance(place, Address):
            raise InputError(
                f"run {place} is an address, and format warden reads directories: "
                f'read its files as they are, as spark.read.parquet("{place}/RUN/findings")'
            )
        run = open_run(place)
        if self._table == _COUNTED:
            return ControlsReader(run.directory.resolve(), schema)
        directory = run.directory / self._table
        files = sorted(directory.glob("*.parquet"))
        if not files and any(path.suffix and not path.name.startswith((".", "_")) for path in directory.iterdir()):
            raise InputError(f"{directory}: its tables are not Parquet: read them by the format that `--format` named")
        return RunReader([str(path.resolve()) for path in files], schema)

    @property
    def _table(self) -> str:
        return self.options.get("table", "findings")


class RunReader(DataSourceReader):
    """Reads Parquet files, each a partition.

    Args:
        files: Paths, which executors see too.
        schema: The columns that are wanted.
    """

    def __init__(self, files: Sequence[str], schema: T.StructType) -> None:
        self._files, self._schema = files, schema

    def partitions(self) -> Sequence[InputPartition]:
        """Return the files."""
        return [InputPartition(file) for file in self._files] or [InputPartition(None)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield a file's rows; a column that it lacks is null."""
        if partition.value is None:
            return
        schema = to_arrow_schema(self._schema)
        with pq.ParquetFile(partition.value) as file:
            for batch in file.iter_batches():
                columns = [
                    batch.column(field.name).cast(field.type)
                    if field.name in batch.schema.names
                    else pa.nulls(batch.num_rows, field.type)
                    for field in schema
                ]
                yield pa.RecordBatch.from_arrays(columns, schema=schema)


class ControlsReader(DataSourceReader):
    """Counts what a run shows about controls, in one partition.

    Args:
        directory: The run's, which executors see too.
        schema: The columns that are wanted.
    """

    def __init__(self, directory: Path, schema: T.StructType) -> None:
        self._directory, self._schema = directory, schema

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the rows.

        Raises:
            InputError: The run's tables are damaged or not Parquet.
        """
        rows = list(iter_control_rows(open_run(self._directory)))
        yield pa.RecordBatch.from_pylist(rows, to_arrow_schema(self._schema))
