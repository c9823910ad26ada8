r"""`warden impact` under spark-submit, which chooses the master and the configuration of Spark.

    spark-submit --py-files warden-modules.zip spark_jobs/jobs/impact_analysis.py \
        --baseline-url URL --candidate-url URL --decisions logs --out DIR

Options, output and exit status are those of the command, without --master and --conf.
"""

import sys

from warden.commands import main

__all__: list[str] = []

if __name__ == "__main__":
    main(["impact", *sys.argv[1:]])
