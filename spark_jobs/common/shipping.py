"""Warden's own modules, sent to the executors of a job."""

import zipfile
from pathlib import Path

from pyspark.sql import SparkSession

import warden
from spark_jobs.common.deployment import is_connect, is_local, send_modules
from warden.base.files.redact import TABLE
from warden.base.resources import read_shipped

__all__ = ["ship_modules", "write_modules"]


def ship_modules(spark: SparkSession, scratch: Path) -> None:
    """Send the modules of this process to executors elsewhere, which a session of Spark Connect begins with.

    Modules that came in a zip file, with spark-submit's ``--py-files``, are there already.
    """
    if not is_local(spark) and not is_connect(spark) and Path(warden.__file__).is_file():
        send_modules(spark, write_modules(scratch / "warden-modules.zip"))


def write_modules(target: Path) -> Path:
    """Write Warden's modules, and what they read on executors, as a zip file for spark-submit's ``--py-files``."""
    roots = (Path(warden.__file__).resolve().parent, Path(__file__).resolve().parent.parent)
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for root in roots:
            for path in sorted(root.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    archive.write(path, path.relative_to(root.parent).as_posix())
        table = "/".join(("warden", "_share", *TABLE))
        if table not in archive.namelist():  # a checkout has it beside the modules, an installed package among them
            archive.writestr(table, read_shipped(*TABLE))
    return target


if __name__ == "__main__":
    import sys

    print(write_modules(Path(sys.argv[1] if len(sys.argv) > 1 else "warden-modules.zip")))
