"""The package that Spark looks up for ``spark.read.format("warden")``, which reads the tables of a run."""

from spark_jobs.sources.run_tables import RunTables as DefaultSource

__all__ = ["DefaultSource"]
