"""The service under requests that nobody sends: it answers each, opens nothing, and goes on serving others."""

from itertools import islice

import pytest

from tests.enforce.client_configs.service.conftest import EVERYBODY
from tests.enforce.client_configs.service.running import Caller, RunningService, entry
from tests.fuzz.cases import Surface
from tests.fuzz.run import Program, for_seconds, new_seed, random_cases, run_cases
from tests.fuzz.tokens import Signer

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_PATHS = ("client-configs/describe", "client-configs/alter", "client-configs/resolve", "decide", "decisions")
_OPEN = frozenset({"/healthz", "/readyz", "/metrics", "/docs", "/openapi.json"})
_DECISION = {"operation": "AuditTopic", "cluster": "c", "request": {"topic": "t"}}
_DOCUMENTS = (
    EVERYBODY,
    {"entries": [entry("alice", acks="1")]},
    {"clientId": "a"},
    _DECISION,
    {"items": {"a": _DECISION}},
)


@pytest.fixture
def program(service: RunningService) -> Program:
    """The service; after each case somebody's client configs are described."""
    admin = Caller(service, "token-of-admin")

    def check() -> None:
        answer = admin.post("client-configs/describe", EVERYBODY)
        assert answer.ok, answer.text

    surface = Surface(
        paths=(*(f"/v1/{path}" for path in _PATHS), *sorted(_OPEN)),
        methods=("POST", "POST", "POST", "GET"),
        tokens={name: f"token-of-{name}" for name in ("admin", "alice", "bob")},
        documents=_DOCUMENTS,
        claims={"iss": "https://login.test", "sub": "alice"},
    )
    return Program("serve", service.url, surface, Signer({}), check, _OPEN)


def test_a_few_hundred_requests(program: Program) -> None:
    """Others with each run."""
    seed = new_seed()
    result = run_cases(program, islice(random_cases(seed, program.surface), 200))
    print(f"WARDEN_SEED={seed}: {result.line()}")

    assert [] == result.failures, "\n".join([f"WARDEN_SEED={seed}", *result.failures])
    assert len(result.answers) > 3, result.line()


@pytest.mark.oracle
def test_half_a_minute_of_requests(program: Program) -> None:
    """As many as there is time for."""
    seed = new_seed()
    result = run_cases(program, for_seconds(30, random_cases(seed, program.surface)))
    print(f"WARDEN_SEED={seed}: {result.line()}")

    assert [] == result.failures, "\n".join([f"WARDEN_SEED={seed}", *result.failures])
