r"""`warden upgrade-check` under spark-submit, which chooses the master and the configuration of Spark.

    spark-submit --py-files warden-modules.zip spark_jobs/jobs/upgrade_check.py \
        --from 3.9 --to 4.2 --opa-url URL --out DIR SNAPSHOT…

Options, output and exit status are those of the command, without --master and --conf.
"""

import sys

from warden.commands import main

__all__: list[str] = []

if __name__ == "__main__":
    main(["upgrade-check", *sys.argv[1:]])
