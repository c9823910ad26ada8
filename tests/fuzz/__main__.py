"""`python -m tests.fuzz`: requests that nobody sends, to every program that listens, for a number of minutes."""

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fixtures.brokers.kafka import AUTHORIZER
from tests.fixtures.callers import calling_opa, login_issuer, serving_issuer
from tests.fuzz.opa import opa_program
from tests.fuzz.probes import PROBED, run_probes_program
from tests.fuzz.run import Program, corpus, for_seconds, random_cases, run_cases
from tests.fuzz.service import refusing_settings, run_service_program
from tests.fuzz.webhook import run_webhook_program
from tools.toolchain.build_opa import obtain_opa
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

__all__: list[str] = []


@contextmanager
def _shipped_opa(directory: Path) -> Iterator[Program]:
    with LocalOpa(build_bundle(directory / "bundle.tar.gz")) as opa:
        yield opa_program("shipped", opa, {})


@contextmanager
def _full_opa(directory: Path) -> Iterator[Program]:
    binary = obtain_opa()
    for part in ("login", "served"):
        (directory / part).mkdir()
    issuer, serving = login_issuer(binary, directory / "login"), serving_issuer(binary, directory / "served")
    with calling_opa(issuer, serving, binary, directory) as opa:
        yield opa_program("full", opa, issuer.keys())


@contextmanager
def _service(directory: Path) -> Iterator[Program]:
    bundle = build_bundle(directory / "bundle.tar.gz", settings=refusing_settings(directory / "settings.yaml"))
    with (
        LocalBroker(properties=AUTHORIZER) as broker,
        LocalOpa(bundle) as opa,
        run_service_program(directory, opa, broker.bootstrap_servers) as program,
    ):
        yield program


@contextmanager
def _webhook(directory: Path) -> Iterator[Program]:
    with (
        LocalOpa(build_bundle(directory / "bundle.tar.gz")) as opa,
        run_webhook_program(directory, opa) as program,
    ):
        yield program


def _programs() -> Mapping[str, tuple[str, Callable[[Path], AbstractContextManager[Program]]]]:
    """Return what starts each, and the file of the corpus that it is sent."""
    return {
        "shipped": ("opa", _shipped_opa),
        "full": ("opa", _full_opa),
        "service": ("service", _service),
        "webhook": ("webhook", _webhook),
        **{command: ("probes", partial(run_probes_program, command)) for command in PROBED},
    }


def _main() -> int:
    programs = _programs()
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long, for all programs together")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**31), help="default: a new one")
    parser.add_argument("--only", nargs="+", choices=programs, default=list(programs), help="fewer programs")
    options = parser.parse_args()
    seed, seconds, failures = options.seed, 60 * options.minutes / len(options.only), list[str]()
    for name in options.only:
        file, start = programs[name]
        with TemporaryDirectory(prefix="warden-fuzz-") as directory, start(Path(directory)) as program:
            known = run_cases(program, corpus(file))
            result = run_cases(program, for_seconds(seconds, random_cases(seed, program.surface)))
            failures += known.failures + result.failures
            print(f"{name}: WARDEN_SEED={seed}: {known.answers.total()} kept; {result.line()}", flush=True)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(_main())
