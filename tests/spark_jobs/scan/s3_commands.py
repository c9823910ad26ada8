"""Commands on one Spark session, which has what it needs for S3.

Run as `python -m tests.spark_jobs.scan.s3_commands CONFIGS COMMANDS`, both JSON.
"""

import json
import sys
from collections.abc import Mapping, Sequence

from click.testing import CliRunner

from spark_jobs.common.session import open_spark_session
from warden.commands import command


def main(configs: Mapping[str, str], commands: Sequence[Sequence[str]]) -> None:
    """Run the commands, and print what each has said."""
    with open_spark_session("local[2]", configs):
        runs = [CliRunner().invoke(command, arguments, standalone_mode=False) for arguments in commands]
    print(json.dumps([run.stdout if run.exception is None else repr(run.exception) for run in runs]))


if __name__ == "__main__":
    main(*map(json.loads, sys.argv[1:]))
