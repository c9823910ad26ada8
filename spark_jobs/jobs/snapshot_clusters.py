"""`warden snapshot` under spark-submit, which chooses the master and the configuration of Spark.

    spark-submit --py-files warden-modules.zip spark_jobs/jobs/snapshot_clusters.py --clusters clusters.yaml --out DIR

Options, output and exit status are those of the command, without --master and --conf.
"""

import sys

from warden.commands import main

__all__: list[str] = []

if __name__ == "__main__":
    main(["snapshot", *sys.argv[1:]])
