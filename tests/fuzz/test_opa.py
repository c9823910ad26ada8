"""OPA under requests that nobody sends: it answers each, opens nothing, and goes on serving others."""

from itertools import islice

import pytest

from tests.fixtures.issuer import Issuer
from tests.fixtures.seed import SEED
from tests.fuzz.opa import opa_program
from tests.fuzz.run import Program, Result, corpus, for_seconds, random_cases, run_cases
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_SECONDS = 17
"""For each of two configurations, in `make test-oracles`."""


@pytest.fixture(scope="session", params=["shipped", "full"])
def program(request: pytest.FixtureRequest, issuer: Issuer) -> Program:
    """OPA with the settings that ship, and with callers and issuers of every kind."""
    opa: LocalOpa = request.getfixturevalue("replicated_opa" if request.param == "shipped" else "guarded")
    return opa_program(request.param, opa, issuer.keys())


def _hold(result: Result, seed: object) -> None:
    print(f"WARDEN_SEED={seed}: {result.line()}")
    assert [] == result.failures, "\n".join([f"WARDEN_SEED={seed}", *result.failures])


def test_what_once_failed(program: Program) -> None:
    """Each line of the corpus."""
    _hold(run_cases(program, corpus("opa")), "corpus")


def test_a_few_hundred_requests(program: Program) -> None:
    """Others than in the corpus."""
    result = run_cases(program, islice(random_cases(SEED, program.surface), 200))
    _hold(result, SEED)
    assert len(result.answers) > 3, result.line()  # some are answered, some refused, and some are no HTTP


@pytest.mark.oracle
def test_requests_for_longer(program: Program) -> None:
    """As many as there is time for."""
    _hold(run_cases(program, for_seconds(_SECONDS, random_cases(SEED, program.surface))), SEED)
