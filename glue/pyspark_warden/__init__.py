"""What Spark finds by this package's name: ``spark.read.format("warden")`` reads the tables of a run."""

from spark_jobs.sources.run_tables import RunTables as DefaultSource

__all__ = ["DefaultSource"]
