r"""`warden scan` under spark-submit, which chooses the master and the configuration of Spark.

    spark-submit --py-files warden-modules.zip spark_jobs/jobs/compliance_scan.py \
        --bundle bundle.tar.gz --opa opa --out DIR SNAPSHOT

Options, output and exit status are those of the command, without --master and --conf.
"""

import sys

from warden.commands import main

__all__: list[str] = []

if __name__ == "__main__":
    main(["scan", *sys.argv[1:]])
