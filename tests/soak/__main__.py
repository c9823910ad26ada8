"""`python -m tests.soak`: all programs under load, changes and faults for a number of minutes, with figures."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.soak.run import Soak

__all__: list[str] = []


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="how long, after the first load")
    parser.add_argument("--topics", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--turn", type=float, default=30.0, help="seconds of changes, with a fault, for each comparison"
    )
    parser.add_argument("--no-kubernetes", action="store_true", help="without webhook and remediator")
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.topics} topics, {options.minutes:g} minutes", flush=True)
    with TemporaryDirectory(prefix="warden-soak-") as directory:
        soak = Soak(
            options.seed,
            options.topics,
            options.turn,
            lambda line: print(line, flush=True),
            has_kubernetes=not options.no_kubernetes,
        )
        result = soak.run(options.minutes, Path(directory))
    print("\n".join(result.lines()))
    return 1 if result.failures else 0


if __name__ == "__main__":
    sys.exit(_main())
