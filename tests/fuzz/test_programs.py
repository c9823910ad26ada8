"""Programs of Warden under requests that nobody sends: each is answered, opens nothing, and others go on being served.

Nothing is allowed that policy denies, no log has a trace, and memory has a limit.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from tests.fixtures.seed import SEED
from tests.fuzz.probes import PROBED, run_probes_program
from tests.fuzz.run import Program, Result, corpus, for_seconds, random_cases, run_cases
from tests.fuzz.service import refusing_settings, run_service_program
from tests.fuzz.webhook import run_webhook_program
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.opa.local import LocalOpa

_SECONDS = 5
"""For each program, in `make test-oracles`; the two OPAs have what is left of a minute."""


@pytest.fixture(scope="module")
def service(opa_binary: Path, broker: LocalBroker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The service, and an OPA that refuses all topics."""
    directory = tmp_path_factory.mktemp("service")
    settings = refusing_settings(directory / "settings.yaml")
    bundle = build_bundle(directory / "bundle.tar.gz", settings=settings, opa=opa_binary)
    with (
        LocalOpa(bundle, opa=opa_binary) as opa,
        run_service_program(directory, opa, broker.bootstrap_servers) as program,
    ):
        yield program


@pytest.fixture(scope="module")
def webhook(opa_binary: Path, shipped_bundle: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The webhook, and an OPA with the clusters of the design's example."""
    with (
        LocalOpa(shipped_bundle, opa=opa_binary) as opa,
        run_webhook_program(tmp_path_factory.mktemp("webhook"), opa) as program,
    ):
        yield program


@pytest.fixture(scope="module", params=PROBED)
def probes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A program that has probes, and nothing of what it looks after."""
    with run_probes_program(request.param, tmp_path_factory.mktemp(request.param)) as program:
        yield program


def _hold(result: Result, seed: object) -> None:
    print(f"WARDEN_SEED={seed}: {result.line()}")
    assert [] == result.failures, "\n".join([f"WARDEN_SEED={seed}", *result.failures])


def _attack(program: Program, file: str) -> None:
    _hold(run_cases(program, corpus(file)), "corpus")
    result = run_cases(program, islice(random_cases(SEED, program.surface), 100))
    _hold(result, SEED)
    assert len(result.answers) > 3, result.line()  # some are answered, some refused, and some are no HTTP


def _attack_longer(program: Program) -> None:
    _hold(run_cases(program, for_seconds(_SECONDS, random_cases(SEED, program.surface))), SEED)


@pytest.mark.kafka
@pytest.mark.opa
def test_the_service(service: Program) -> None:
    """What once failed, and a hundred others."""
    _attack(service, "service")


@pytest.mark.oracle
@pytest.mark.kafka
@pytest.mark.opa
def test_the_service_for_longer(service: Program) -> None:
    """As many as there is time for."""
    _attack_longer(service)


@pytest.mark.opa
def test_the_webhook(webhook: Program) -> None:
    """What once failed, and a hundred others."""
    _attack(webhook, "webhook")


@pytest.mark.oracle
@pytest.mark.opa
def test_the_webhook_for_longer(webhook: Program) -> None:
    """As many as there is time for."""
    _attack_longer(webhook)


@pytest.mark.process
def test_probes(probes: Program) -> None:
    """What once failed, and a hundred others."""
    _attack(probes, "probes")


@pytest.mark.oracle
@pytest.mark.process
def test_probes_for_longer(probes: Program) -> None:
    """As many as there is time for."""
    _attack_longer(probes)
