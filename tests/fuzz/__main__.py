"""`python -m tests.fuzz`: requests that nobody sends, to OPA in two configurations, for a number of minutes."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fixtures.callers import calling_opa, login_issuer, serving_issuer
from tests.fuzz.opa import opa_program
from tests.fuzz.run import corpus, for_seconds, new_seed, random_cases, run_cases
from tools.toolchain.opa import obtain_opa
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

__all__: list[str] = []


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long, for both configurations together")
    parser.add_argument("--seed", type=int, help="WARDEN_SEED, or a new one")
    options = parser.parse_args()
    seed = new_seed() if options.seed is None else options.seed
    failures: list[str] = []
    binary = obtain_opa()
    with TemporaryDirectory(prefix="warden-fuzz-") as name:
        directory = Path(name)
        for part in ("login", "served"):
            (directory / part).mkdir()
        issuer, serving = login_issuer(binary, directory / "login"), serving_issuer(binary, directory / "served")
        shipped = LocalOpa(build_bundle(directory / "shipped.tar.gz", opa=binary), opa=binary)
        with shipped, calling_opa(issuer, serving, binary, directory) as full:
            for opa, kind in ((shipped, "shipped"), (full, "full")):
                program = opa_program(kind, opa, issuer.keys())
                failures += run_cases(program, corpus("opa")).failures
                result = run_cases(program, for_seconds(options.minutes * 30, random_cases(seed, program.surface)))
                failures += result.failures
                print(f"{kind}: WARDEN_SEED={seed}: {result.line()}", flush=True)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(_main())
