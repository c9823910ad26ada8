"""Files of this machine that Hadoop puts elsewhere."""

import sys
from pathlib import Path
from typing import Any

import pytest

from warden.base.errors import InputError
from warden.base.files.address import Address

pytestmark = pytest.mark.spark


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_file_that_cannot_be_put(spark: Any, store: Path, tmp_path: Path) -> None:
    """Where the target cannot be made the file is not left open."""
    from spark_jobs.common.hadoop_files import HadoopFiles

    file = tmp_path / "file"
    file.write_text("x")
    (store / "no directory").write_text("x")
    with pytest.raises(InputError, match="viewfs://estate/store/no directory/file"):
        HadoopFiles(spark).put(file, Address("viewfs://estate/store/no directory/file"))

    jvm = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()
    assert file not in [opened.resolve() for opened in Path(f"/proc/{jvm}/fd").iterdir()]
