"""AlterScram: SCRAM credentials of users, by AlterUserScramCredentials."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.fixtures.conditions import eventually
from tests.oracle.broker import Answer, Answers, Broker, unused
from tests.oracle.cases.sampling import Case, complete

__all__ = ["STATE", "answers", "cases", "expected", "unchanged"]

STATE: dict[str, Any] = {}
"""What all cases share: nothing, since only some know who can log in."""

_MECHANISMS = {"SCRAM-SHA-256": 1, "SCRAM-SHA-512": 2}
_UNKNOWN = ("", "PLAIN", "scram-sha-256", "SCRAM-SHA-1")
_NO_CODE = 99  # of a mechanism that Kafka lacks
_ITERATIONS = (-(2**31), -5, -1, 0, 1, 4095, 4096, 4097, 8192, 16383, 16384, 16385, 2**31 - 1)
_USERS = ("", " ", "a b", "ä", "<default>", "user=x", "ANONYMOUS")
_SECRET = b"0123456789abcdef"


def _case(
    name: str, user: str, mechanism: str, iterations: int | None, has: Sequence[str] = (), *, known: bool = True
) -> Case:
    """A credential that is set, or removed where there are no iterations, of one who `has` some, which is `known`."""
    request: dict[str, Any] = {"user": user, "mechanism": mechanism}
    request |= {"remove": True} if iterations is None else {"iterations": iterations}
    sent: dict[str, Any] = {"name": user, "mechanism": _MECHANISMS.get(mechanism, _NO_CODE)}
    if iterations is not None:
        sent |= {"iterations": iterations, "salt": _SECRET, "saltedPassword": _SECRET}
    users = {user: {"scram": {mechanism: {"iterations": 4096} for mechanism in has}}} if has else {}
    return Case(name, "AlterScram", request, sent, {"users": users} if known else {})


def cases() -> list[Case]:
    """Every number of iterations with every mechanism, every sort of name, and removals of what is there and is not."""
    every = (*_MECHANISMS, *_UNKNOWN)
    edges = [
        _case(f"{mechanism!r}, {iterations} iterations", f"edge{i}.{j}", mechanism, iterations)
        for i, mechanism in enumerate(every)
        for j, iterations in enumerate((*_ITERATIONS, None))
    ]
    edges += [
        _case(f"{user!r}, {mechanism!r}, {iterations} iterations", user, mechanism, iterations)
        for user in _USERS
        for mechanism, iterations in (
            ("SCRAM-SHA-256", 4096),
            ("SCRAM-SHA-256", 1),
            ("SCRAM-SHA-512", None),
            ("", 4096),
        )
    ]
    edges += [
        _case(f"{mechanism!r} removed of one who has {has}", f"had{i}.{j}", mechanism, None, has)
        for i, mechanism in enumerate(every)
        for j, has in enumerate((["SCRAM-SHA-256"], ["SCRAM-SHA-512"], list(_MECHANISMS)))
    ]
    edges += [
        _case(f"{mechanism!r} removed, of which nothing is known", f"new{i}", mechanism, None, known=False)
        for i, mechanism in enumerate(every)
    ]
    return complete("AlterScram", edges, _draw)


def _draw(source: Random, number: int) -> Case:
    has = [mechanism for mechanism in _MECHANISMS if source.random() < 0.5]
    mechanism = source.choice((*_MECHANISMS, *_MECHANISMS, source.choice(_UNKNOWN)))
    near = source.choice(_ITERATIONS) if source.random() < 0.4 else source.randint(4000, 16500)
    return _case(f"random {number}", f"user{number}", mechanism, None if source.random() < 0.4 else near, has)


def expected(case: Case, _state: Any, _change: Any) -> Any:
    """The user's iterations by mechanism once it is done; rules see no state of credentials."""
    request, there = case.request, unchanged(case)
    kept = {mechanism: iterations for mechanism, iterations in there.items() if mechanism != request["mechanism"]}
    return kept if request.get("remove") else {**kept, request["mechanism"]: request["iterations"]}


def unchanged(case: Case) -> Any:
    """What is there before, as `expected`."""
    credentials = case.state.get("users", {}).get(case.request["user"], {"scram": {}})["scram"]
    return {mechanism: credential["iterations"] for mechanism, credential in credentials.items()}


def answers(broker: Broker, every: Sequence[Case]) -> Answers:
    """What the broker answers to each case, and the user's credentials then, where no other case has that user."""
    before = [
        _case(f"{user} {mechanism}", user, mechanism, 4096)
        for case in every
        for user, credentials in case.state.get("users", {}).items()
        for mechanism in credentials["scram"]
    ]
    assert [] == [answer for answer in _alter(broker, before).values() if answer.code]
    found = _alter(broker, every)
    there = _described(broker)
    cases = Counter(case.request["user"] for case in every)
    return {
        case.name: replace(found[case.name], after=there.get(case.request["user"], {}))
        if cases[case.request["user"]] == 1
        else found[case.name]
        for case in every
    }


def _described(broker: Broker) -> dict[str, dict[str, int]]:
    """All credentials, once the broker knows what the controller has done."""
    user = unused("last")
    last = _case("last", user, "SCRAM-SHA-256", 4096)
    assert _alter(broker, [last])["last"].code == 0
    names = {code: name for name, code in _MECHANISMS.items()}

    def read() -> dict[str, dict[str, int]] | None:
        results = broker.send("DescribeUserScramCredentials", {"users": None}).results
        found = {one.user: {names[info.mechanism]: info.iterations for info in one.credential_infos} for one in results}
        return found if user in found else None

    return eventually(read, "the broker knows of all credentials")


def _alter(broker: Broker, every: Sequence[Case]) -> dict[str, Answer]:
    return broker.answers(
        "AlterUserScramCredentials",
        {case.name: (case.request["user"], case.sent) for case in every},
        lambda credentials: {
            "deletions": [credential for credential in credentials if "salt" not in credential],
            "upsertions": [credential for credential in credentials if "salt" in credential],
        },
        lambda response: ((result.user, result.error_code, result.error_message) for result in response.results),
    )
